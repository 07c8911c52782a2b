// A process of its own for each measurement, since a module loads once. Prints how many milliseconds it takes to load
// both nodes when n8n-workflow is there already, as it is in every n8n.
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const { n8n } = require('../../../package.json');
require('n8n-workflow');
require('luxon');
const started = performance.now();
for (const file of n8n.nodes) require(`../../../${file}`);
console.log(performance.now() - started);
