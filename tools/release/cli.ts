import { join } from 'node:path';
import { obstacles, readFacts } from './obstacles';

const facts = readFacts(join(__dirname, '../..'));
const found = obstacles(facts);
for (const obstacle of found) console.error(obstacle);
if (found.length === 0) console.log(`Version ${facts.manifest.version} can be released.`);
process.exitCode = found.length === 0 ? 0 : 1;
