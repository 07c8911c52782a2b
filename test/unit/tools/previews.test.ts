import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { PREVIEWS, previews } from '../../../tools/previews/previews';
import { loadEngine } from '../../support/engine';

/** Every field of a preview, by its type. */
function typesOf(preview: string | undefined): Record<string, string> {
  const { properties }: { properties: Record<string, { type: string }> } = JSON.parse(preview ?? '{}');
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type]));
}

test('the previews beside the node are those that "npm run generate" makes', () => {
  const files = readdirSync(PREVIEWS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  const there = files.map((file): [string, string] => [file, readFileSync(join(PREVIEWS, file), 'utf8')]);
  expect(Object.fromEntries(there)).toEqual(Object.fromEntries(previews()));
});

test('n8n finds a preview for every operation of the node', async () => {
  const { loadOutputSchema } = await loadEngine();
  const nodeDir = join(PREVIEWS, '../..');
  for (const { value: resource, operations } of RESOURCES) {
    for (const { value: operation } of operations) {
      expect(loadOutputSchema({ nodeDir, version: 1, resource, operation })).toMatchObject({
        type: 'object',
        version: 1,
      });
    }
  }
});

test('shows a simplified record, a list as its rows, and a record as it is', () => {
  const made = previews();
  expect(typesOf(made.get('document/getAll.json'))).toEqual(typesOf(made.get('document/get.json')));
  expect(typesOf(made.get('document/get.json'))).toMatchObject({ mimeType: 'string', stage: 'string' });
  expect(typesOf(made.get('document/upload.json'))).toEqual(typesOf(made.get('document/get.json')));
  expect(typesOf(made.get('companyPlaybook/get.json'))).toEqual({
    companyId: 'string',
    markdown: 'string',
    rules: 'object',
    version: 'integer',
    updatedAt: 'string',
  });
  expect(typesOf(made.get('webhookEndpoint/delete.json'))).toEqual({ deleted: 'boolean', id: 'string' });
});
