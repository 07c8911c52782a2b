import assert from 'node:assert/strict';
import { READ } from '../../../../tools/demo/workflows';
import { endpointsLeft } from '../../../../tools/n8n/agency';
import { deactivate } from '../../../../tools/n8n/workflows';
import { documentArrives } from '../../support/agency';
import { executionWith, importExample, publish, type Trial } from './desk';

/** `on-document-read.json`. */
export const onDocumentRead: Trial = async (desk, check) => {
  const { agency, session } = desk.stage;
  const id = await importExample(desk, READ.file);
  await check('on-document-read: publishing registers a webhook endpoint', async () => {
    await publish(desk, id);
    assert.equal(await endpointsLeft(agency), 1);
  });
  await check('on-document-read: a document that was read is fetched and becomes one row', async () => {
    const companyId = desk.companies[2]?.id ?? '';
    const document = await documentArrives(agency, companyId, 'arve-12.txt');
    const execution = await executionWith(desk, id, READ.row, ({ json }) => json['document'] === document);
    const [row] = execution.items(READ.row);
    assert.equal(row?.json['file'], 'arve-12.txt');
    assert.equal(row?.json['company'], companyId);
    assert.ok(execution.items(READ.fetch)[0]?.binary?.['data'], 'the original file stands in the field data');
  });
  await check('on-document-read: unpublishing removes the webhook endpoint', async () => {
    await deactivate(session, id);
    assert.equal(await endpointsLeft(agency), 0);
  });
};
