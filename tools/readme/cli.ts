import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withTables } from './tables';

const README = join(__dirname, '../../README.md');

async function main(): Promise<void> {
  const text = withTables(readFileSync(README, 'utf8'));
  writeFileSync(README, await format(text, { ...(await resolveConfig(README)), parser: 'markdown' }));
}

void main();
