import { runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { requestsTo, uploadTo, useCompany } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const company = useCompany(sandbox);

const credential = () => ({ address: sandbox().url, token: '={{ $json.key }}' });

test('Each item acts with its own key, also for what items share', async () => {
  const { full, other, readonly } = sandbox().keys;
  const files = (seed: string) => ({ data: { bytes: pdf(seed), name: `${seed}.pdf` } });
  const { outputs, error } = await runAction(sandbox(), uploadTo(company()), {
    credential: credential(),
    input: itemsWithFiles(
      { json: { key: full }, files: files('a') },
      { json: { key: readonly }, files: files('b') },
      { json: { key: other }, files: files('c') },
    ),
    onError: 'continueErrorOutput',
  });
  expect(error).toBeUndefined();
  expect(outputs[0]?.map(({ json, pairedItem }) => [json.originalFilename, pairedItem])).toEqual([
    ['a.pdf', { item: 0 }],
    ['c.pdf', { item: 2 }],
  ]);
  expect(outputs[1]?.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
    [expect.stringContaining('documents:write'), { item: 1 }],
  ]);
  // Each key asks for itself whether it may see the company.
  expect(await requestsTo(sandbox(), 'GET', `/companies/${company()}`)).toHaveLength(3);
});

test('A key that one item lacks stops that item alone', async () => {
  const getCompany = { resource: 'company', operation: 'get', companyId: companyById(company()) };
  const { outputs } = await runAction(sandbox(), getCompany, {
    credential: credential(),
    input: [{ json: { key: sandbox().keys.full } }, { json: { key: '' } }, { json: { key: 'wrong' } }],
    onError: 'continueErrorOutput',
  });
  expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
  expect(outputs[1]?.map(({ json }) => json.error)).toEqual([
    'API Key or Access Token is empty.',
    expect.stringContaining('does not accept the API key'),
  ]);
});

test('An item without a usable key does not keep the others from theirs, even if it is the first', async () => {
  const getCompany = { resource: 'company', operation: 'get', companyId: companyById(company()) };
  const { outputs } = await runAction(sandbox(), getCompany, {
    credential: credential(),
    input: [{ json: { key: '' } }, { json: { key: sandbox().keys.full } }],
    onError: 'continueErrorOutput',
  });
  expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
  expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
});
