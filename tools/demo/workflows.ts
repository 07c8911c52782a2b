import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credential } from '../n8n/credentials';
import type { WorkflowFile, WorkflowNode } from '../n8n/workflows';

const EXAMPLES = join(__dirname, '../../examples');
const OUR_NODES = 'n8n-nodes-accounting-agency.';

/** The files of the two workflows that the demo runs, and the names of the nodes that it reads. */
export const UPLOAD = {
  file: 'document-pipeline.json',
  trigger: 'Start by hand',
  upload: 'File the document',
} as const;
export const READ = {
  file: 'on-document-read.json',
  trigger: 'When a document is recognized',
  fetch: 'Fetch the document',
  row: 'Table row',
} as const;

/** What a person picks in a freshly imported example. */
export interface Choices {
  credential: Credential;
  company: { id: string; name: string };
  /** The folder that documents are read from, or written to. */
  folder: string;
}

/** Every example as it stands, by file name. */
export async function readExamples(): Promise<Map<string, WorkflowFile>> {
  const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.json'));
  const read = async (name: string) =>
    JSON.parse(await readFile(join(EXAMPLES, name), 'utf8')) as WorkflowFile;
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

/** An example with a person's choices filled in: the credential, the company to file under, the folder to read. */
export function fillIn(workflow: WorkflowFile, choices: Choices): WorkflowFile {
  return { ...workflow, nodes: workflow.nodes.map((node) => fillInNode(node, choices)) };
}

function fillInNode(node: WorkflowNode, { credential, company, folder }: Choices): WorkflowNode {
  if (node.type === 'n8n-nodes-base.readWriteFile') {
    const { fileName } = node.parameters;
    const place =
      typeof fileName === 'string'
        ? { fileName: fileName.replace('/files/archive', folder) }
        : { fileSelector: join(folder, '*') };
    return { ...node, parameters: { ...node.parameters, ...place } };
  }
  if (!node.type.startsWith(OUR_NODES)) return node;
  const chosen = { __rl: true, mode: 'list', value: company.id, cachedResultName: company.name };
  const { companyId } = node.parameters as { companyId?: { value: string } };
  return {
    ...node,
    parameters: { ...node.parameters, ...(companyId?.value === '' && { companyId: chosen }) },
    credentials: { [credential.type]: { id: credential.id, name: credential.name } },
  };
}
