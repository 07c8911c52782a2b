import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import type { Step } from '../in-process';

interface Page {
  data: INodeExecutionData['json'][];
  nextCursor: string | null;
}

/** A node that reads the list of documents to its end with n8n's request helper and does nothing else. */
export function bareList(url: string, token: string): Step {
  const type: INodeType = {
    description: {
      displayName: 'Bare List',
      name: 'bareList',
      group: ['input'],
      version: 1,
      description: 'Reads a list',
      defaults: { name: 'Bare List' },
      inputs: ['main'],
      outputs: ['main'],
      properties: [],
    },
    async execute() {
      const items: INodeExecutionData[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page = await ask(this, `${url}/api/v1/documents?limit=200&cursor=${cursor}`, token);
        for (const json of page.data) items.push({ json, pairedItem: 0 });
        cursor = page.nextCursor;
      }
      return [items];
    },
  };
  return { type, version: 1, parameters: {} };
}

async function ask({ helpers }: IExecuteFunctions, url: string, token: string): Promise<Page> {
  const text: string = await helpers.httpRequest({
    url,
    headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
    encoding: 'text',
    disableFollowRedirect: true,
  });
  return JSON.parse(text);
}
