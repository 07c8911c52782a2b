import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const EXAMPLES = 'examples';

/** The note by which an example explains itself. */
const NOTE = 'What this does';

interface Example {
  name: string;
  nodes: { name: string; parameters: { content?: string } }[];
}

/** Every example: its link, and what its note says first. */
export function exampleRows(): string[][] {
  const folder = join(__dirname, '../..', EXAMPLES);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { name, nodes }: Example = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const note = nodes.find((node) => node.name === NOTE)?.parameters.content ?? '';
      const [, first] = note.split('\n\n');
      if (first === undefined) throw new Error(`${EXAMPLES}/${file} has no note "${NOTE}".`);
      return [`[${name}](${EXAMPLES}/${file})`, first];
    });
}
