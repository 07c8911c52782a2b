import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from './catalogue';

const FOLDER = join(__dirname, '..', '..', 'examples', 'documents');

async function main() {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, make] of Object.entries(catalogue)) {
    const bytes = await make();
    await writeFile(join(FOLDER, name), bytes);
    console.log(`${String(bytes.length).padStart(9)}  ${name}`);
  }
}

void main();
