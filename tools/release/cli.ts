import { join } from 'node:path';
import { Halt } from '../n8n/processes/halt';
import { readFacts } from './facts';
import { obstacles } from './obstacles';

async function main(): Promise<number> {
  const facts = await readFacts(join(__dirname, '../..'));
  const found = obstacles(facts);
  for (const obstacle of found) console.error(obstacle);
  if (found.length === 0) console.log(`Version ${facts.manifest.version} can be released.`);
  return found.length === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Halt ? error.message : error);
    process.exitCode = 1;
  },
);
