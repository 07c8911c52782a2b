import { runAction } from '../../support/action/action';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { REFUSED_FILING, someCompany, uploadTo } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });

const FOREIGN = {
  mimeType: 'application/json',
  fileName: 'x.json',
  bytes: 1,
  id: 'filesystem-v2:workflows/other/executions/5/execution_data/bundle.json',
};

const fileRequests = async () => (await sandbox().requests()).filter(({ method }) => method === 'POST');

test.each([
  ['data', { data: FOREIGN }],
  ['*', { _files: { data: FOREIGN } }],
  ['_files.data', { _files: { data: FOREIGN } }],
  ['data', { data: { ...FOREIGN, id: undefined, data: 'aGFsbG8=' } }],
])('a workflow with separate files never takes %p from the JSON of an item', async (field, json) => {
  const parameters = uploadTo(await someCompany(sandbox()), { binaryPropertyName: field });
  const { error } = await runAction(sandbox(), parameters, { input: [{ json }] });
  expect(error?.message).toMatch(/^Input Binary Field .*\[item 0\]$/);
  expect(await fileRequests()).toEqual([]);
});

test('a failed item keeps the file that was not filed', async () => {
  await sandbox().control('faults', [{ ...REFUSED_FILING, times: 1 }]);
  const input = itemsWithFiles({
    json: { from: 'mail' },
    files: { data: { bytes: pdf('a'), name: 'a.pdf' } },
  });
  const parameters = uploadTo(await someCompany(sandbox()));
  const { outputs } = await runAction(sandbox(), parameters, { input, onError: 'continueErrorOutput' });
  expect(outputs[1]).toMatchObject([{ json: { from: 'mail' }, binary: { data: { fileName: 'a.pdf' } } }]);
});
