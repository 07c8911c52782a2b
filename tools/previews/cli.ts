import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PREVIEWS, previews } from './previews';

rmSync(PREVIEWS, { recursive: true, force: true });
for (const [path, text] of previews()) {
  const file = join(PREVIEWS, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
