import assert from 'node:assert/strict';
import { READ } from '../../../../tools/demo/workflows';
import { endpointsLeft } from '../../../../tools/n8n/agency';
import { listExecutions, readExecution } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, deactivate } from '../../../../tools/n8n/workflows';
import { documentArrives } from '../../support/agency';
import { importExample, type Trial } from './desk';

/** `on-document-read.json`. */
export const onDocumentRead: Trial = async (desk, check) => {
  const { agency, session } = desk.stage;
  const id = await importExample(desk, READ.file);
  await check('on-document-read: publishing registers a webhook endpoint', async () => {
    const { active, messages } = await activate(session, id);
    assert.ok(active, messages.join(' '));
    assert.equal(await endpointsLeft(agency), 1);
  });
  await check('on-document-read: a document that was read is fetched and becomes one row', async () => {
    const companyId = desk.companies[2]?.id ?? '';
    const document = await documentArrives(agency, companyId, 'arve-12.txt');
    const execution = await waitFor(
      'the event to start the workflow',
      async () => {
        for (const { id: run } of await listExecutions(session, id)) {
          const found = await readExecution(session, run);
          if (found?.items(READ.row)[0]?.json['document'] === document) return found;
        }
        return undefined;
      },
      { seconds: 180 },
    );
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
