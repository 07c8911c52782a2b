import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from '../../../tools/n8n/package';

/** The type of the node in the bare package. */
export const BARE_TRIGGER = 'n8n-nodes-bare-trigger.bareTrigger';

/** The least that a webhook trigger can be: it checks nothing and hands the body on. */
const NODE = `
class BareTrigger {
  description = {
    displayName: 'Bare Trigger',
    name: 'bareTrigger',
    group: ['trigger'],
    version: 2,
    description: 'Hands on what is posted to it',
    defaults: { name: 'Bare Trigger' },
    inputs: [],
    outputs: ['main'],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: 'noData', path: 'webhook' },
    ],
    properties: [],
  };

  async webhook() {
    return { workflowData: [[{ json: this.getBodyData() }]] };
  }
}
exports.BareTrigger = BareTrigger;
`;

/** Writes and packs a community package with a bare trigger; gives the path of the tarball. */
export async function packBareTrigger(folder: string): Promise<string> {
  const source = join(folder, 'bare');
  await mkdir(join(source, 'dist'), { recursive: true });
  await writeFile(
    join(source, 'package.json'),
    JSON.stringify({
      name: 'n8n-nodes-bare-trigger',
      version: '1.0.0',
      keywords: ['n8n-community-node-package'],
      files: ['dist'],
      n8n: { n8nNodesApiVersion: 1, nodes: ['dist/BareTrigger.node.js'] },
    }),
  );
  await writeFile(join(source, 'dist/BareTrigger.node.js'), NODE);
  return await pack(folder, source);
}
