import type { INodeExecutionData, INodeType } from 'n8n-workflow';
import { inLanes } from './floor';
import type { Step } from '../in-process';

/**
 * A node that reads the document of each item with n8n's request helper, `width` at a time, and does nothing else. Which
 * document is set by an expression, which n8n evaluates for each item.
 */
export function bareGet(url: string, token: string, width: number): Step {
  const type: INodeType = {
    description: {
      displayName: 'Bare Get',
      name: 'bareGet',
      group: ['input'],
      version: 1,
      description: 'Reads documents',
      defaults: { name: 'Bare Get' },
      inputs: ['main'],
      outputs: ['main'],
      properties: [{ displayName: 'Document ID', name: 'documentId', type: 'string', default: '' }],
    },
    async execute() {
      const ask = async (item: number): Promise<INodeExecutionData['json']> => {
        const text: string = await this.helpers.httpRequest({
          url: `${url}/api/v1/documents/${String(this.getNodeParameter('documentId', item))}`,
          headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
          encoding: 'text',
          disableFollowRedirect: true,
        });
        return JSON.parse(text);
      };
      const read = await inLanes([...this.getInputData().keys()], width, ask);
      return [read.map((json, item) => ({ json, pairedItem: { item } }))];
    },
  };
  return { type, version: 1, parameters: { documentId: '={{ $json.document }}' } };
}
