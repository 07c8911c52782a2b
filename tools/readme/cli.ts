import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { generatedParts, withParts } from './tables';

const ROOT = join(__dirname, '../..');

async function main(): Promise<void> {
  for (const [file, parts] of Object.entries(generatedParts())) {
    const path = join(ROOT, file);
    const page = withParts(readFileSync(path, 'utf8'), parts);
    writeFileSync(path, await format(page, { ...(await resolveConfig(path)), parser: 'markdown' }));
  }
}

void main();
