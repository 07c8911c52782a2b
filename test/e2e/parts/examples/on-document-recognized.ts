import assert from 'node:assert/strict';
import { READ } from '../../../../tools/demo/workflows';
import type { Item } from '../../../../tools/n8n/executions';
import { deactivate } from '../../../../tools/n8n/workflows';
import { documentArrives } from '../../support/agency';
import { executionWith, importExample, publish, type Trial } from './desk';

/** `on-document-recognized.json`. */
export const onDocumentRecognized: Trial = async (desk, check) => {
  const { agency, session } = desk.stage;
  const id = await importExample(desk, 'on-document-recognized.json');
  await check(
    'on-document-recognized: a new document comes with its record and file, from the feed',
    async () => {
      await publish(desk, id);
      const document = await documentArrives(agency, desk.companies[2]?.id ?? '', 'arve-13.txt');
      const isIts = ({ json }: Item) => json['document'] === document;
      const execution = await executionWith(desk, id, READ.row, isIts);
      const row = execution.items(READ.row).find(isIts);
      assert.equal(row?.json['file'], 'arve-13.txt');
      assert.ok(row?.binary?.['data'], 'the original file is in the field data');
      await deactivate(session, id);
    },
  );
};
