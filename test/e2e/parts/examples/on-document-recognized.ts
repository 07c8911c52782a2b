import assert from 'node:assert/strict';
import { READ } from '../../../../tools/demo/workflows';
import { listExecutions, readExecution } from '../../../../tools/n8n/executions';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, deactivate } from '../../../../tools/n8n/workflows';
import { documentArrives } from '../../support/agency';
import { importExample, type Trial } from './desk';

/** `on-document-recognized.json`. */
export const onDocumentRecognized: Trial = async (desk, check) => {
  const { agency, session } = desk.stage;
  const id = await importExample(desk, 'on-document-recognized.json');
  await check(
    'on-document-recognized: a new document comes with its record and file, from the feed',
    async () => {
      const { active, messages } = await activate(session, id);
      assert.ok(active, messages.join(' '));
      const document = await documentArrives(agency, desk.companies[2]?.id ?? '', 'arve-13.txt');
      const row = await waitFor(
        'the feed to start the workflow',
        async () => {
          for (const { id: run } of await listExecutions(session, id)) {
            const rows = (await readExecution(session, run))?.items(READ.row) ?? [];
            const found = rows.find(({ json }) => json['document'] === document);
            if (found) return found;
          }
          return undefined;
        },
        { seconds: 180 },
      );
      assert.equal(row.json['file'], 'arve-13.txt');
      assert.ok(row.binary?.['data'], 'the original file is in the field data');
      await deactivate(session, id);
    },
  );
};
