// A process of its own for each measurement, since a module loads once. Prints how many milliseconds of CPU it takes
// to load the modules that it is given when n8n-workflow is there already, as it is in every n8n. Of CPU, since on a
// busy machine the clock measures the other programs.
import { createRequire } from 'node:module';

const files = process.argv.slice(2);
const require = createRequire(files[0]);
require('n8n-workflow');
require('luxon');
// The first reading of the meter takes time of its own.
process.threadCpuUsage(process.threadCpuUsage());
const before = process.threadCpuUsage();
for (const file of files) require(file);
const { user, system } = process.threadCpuUsage(before);
console.log((user + system) / 1000);
