import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const EXAMPLES = 'examples';

/** The note by which an example explains itself. */
const NOTE = 'What this does';

interface Example {
  name: string;
  nodes: { name: string; parameters: { content?: string } }[];
}

/** Every example: the name of its file without the ending, its own name, and what its note says first. */
function examples(): { file: string; name: string; purpose: string }[] {
  const folder = join(__dirname, '../..', EXAMPLES);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { name, nodes }: Example = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const note = nodes.find((node) => node.name === NOTE)?.parameters.content ?? '';
      const [, purpose] = note.split('\n\n');
      if (purpose === undefined) throw new Error(`${EXAMPLES}/${file} has no note "${NOTE}".`);
      return { file: basename(file, '.json'), name, purpose };
    });
}

/** The examples as a list of links, for a page in the root. */
export const exampleList = (): string =>
  examples()
    .map(({ file, name }) => `- [${name}](${EXAMPLES}/${file}.json)`)
    .join('\n');

/** A section for each example with its purpose, link and picture, for a page in `docs`. */
export const exampleSections = (): string =>
  examples()
    .map(
      ({ file, name, purpose }) =>
        `## ${name}\n\n${purpose}\n\n[Open the workflow](../${EXAMPLES}/${file}.json)\n\n![${name}](images/${file}.png)`,
    )
    .join('\n\n');
