import type { INodeParameters } from 'n8n-workflow';
import { runAction } from '../../support/action/action';
import { companyById, listedCompanies } from '../../support/action/company';
import { passTimeFaster } from '../../support/time/fast-time';
import { jsonOfAnswer, useReadingProxy, withJson } from '../../support/proxies/reading-proxy';
import { useSandbox } from '../../support/sandbox/sandbox';
import { exportedSettings } from '../../support/action/settings';
import { useDocuments } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 3, rateLimit: 'off' });
const proxy = useReadingProxy(() => sandbox().url);
const documents = useDocuments(sandbox);
beforeAll(() => passTimeFaster(200));
afterAll(() => jest.restoreAllMocks());

/** Values that a field of text never has; the last one cannot even be written as text. */
const ODD: unknown[] = [undefined, null, 5, true, [], [null], {}, { toString: 1 }];

/** Runs an operation while the agency answers its reads with other values in some fields. */
async function run(parameters: INodeParameters, fields: object) {
  proxy.read({
    answered: (answer, { method }) =>
      method === 'GET' ? withJson(answer, { ...Object(jsonOfAnswer(answer)), ...fields }) : answer,
  });
  const credential = { address: proxy.address(), token: sandbox().keys.full };
  return await runAction(sandbox(), parameters, { credential });
}

test.each(ODD)(
  'A playbook is never replaced by one that was read without its text, as %j',
  async (markdown) => {
    const [{ id }] = await listedCompanies(sandbox());
    const path = `/companies/${id}/playbook`;
    const before = (await sandbox().call({ path })).body;
    const append = { resource: 'companyPlaybook', operation: 'append', markdown: '## Fuel' };
    const { error } = await run({ ...append, companyId: companyById(id) }, { markdown });
    expect(error?.message).toContain("not from the agency's API");
    expect(proxy.trail().filter((request) => request.startsWith('PUT'))).toEqual([]);
    expect((await sandbox().call({ path })).body).toEqual(before);
  },
);

test.each(ODD)('A policy is never filled up from one that was read with rows of %j', async (row) => {
  const { companyId } = await exportedSettings(sandbox());
  const update = {
    resource: 'companySettings',
    operation: 'update',
    companyId: companyById(companyId),
    accountingPolicy: { warehouse: { required: 'true', automatic: 'keep', defaultValue: 'keep' } },
  };
  const { error } = await run(update, { accountingPolicy: { configured: true, fields: [row, row] } });
  expect(error?.message).toContain('has no policy field');
  expect(proxy.trail().filter((request) => request.startsWith('PATCH'))).toEqual([]);
});

test.each(ODD)('A document whose company is %j comes as it is', async (companyId) => {
  const get = { resource: 'document', operation: 'get', documentId: String(documents()[0]), output: 'all' };
  const { outputs, error } = await run(get, { companyId });
  expect(error).toBeUndefined();
  expect(outputs[0]?.[0]?.json.companyId).toEqual(companyId);
});

test.each(ODD)('A file whose name, type and size are %j comes all the same', async (odd) => {
  const download = { resource: 'document', operation: 'download', documentId: String(documents()[0]) };
  // A number is a size, and another one is an error.
  const file = { id: 'f', mimeType: odd, sizeBytes: odd === 5 ? undefined : odd };
  const { outputs, error } = await run(
    { ...download, binaryPropertyName: 'data' },
    { originalFilename: odd, file },
  );
  expect(error).toBeUndefined();
  expect(outputs[0]?.[0]?.binary?.data).toMatchObject({ mimeType: 'application/octet-stream' });
});
