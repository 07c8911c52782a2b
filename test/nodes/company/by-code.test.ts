import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, runAction } from '../../support/action/action';
import { listedCompanies } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';
import { useServer } from '../../support/proxies/server';

const sandbox = useSandbox({ documents: 30 });

type Company = Schemas['Company'];

const byCode = (value: string): INodeParameters => ({ __rl: true, mode: 'code', value });

const get = (code: string): INodeParameters => ({
  resource: 'company',
  operation: 'get',
  companyId: byCode(code),
  output: 'all',
});

/** The first company that has both codes, and those codes. */
async function someCompany(): Promise<Company & { registrationCode: string; vatCode: string }> {
  for (const company of await listedCompanies(sandbox())) {
    const { registrationCode, vatCode } = company;
    if (registrationCode && vatCode) return { ...company, registrationCode, vatCode };
  }
  throw new Error('No company of the first page has both codes.');
}

/** The requests of the node, after those of the test itself. */
const asked = async () =>
  (await sandbox().requests())
    .filter(({ headers }) => headers['user-agent'] !== 'node')
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);

test('finds a company by its registration code and by its VAT code, with or without letters and spaces', async () => {
  const { registrationCode, vatCode, ...company } = await someCompany();
  const spaced = `${vatCode.slice(0, 2).toLowerCase()} ${vatCode.slice(2, 5)} ${vatCode.slice(5)}`;
  for (const code of [registrationCode, ` ${registrationCode} `, vatCode, vatCode.slice(2), spaced]) {
    expect(jsonOf(await runAction(sandbox(), get(code)))).toEqual([
      { ...company, registrationCode, vatCode },
    ]);
  }
});

test('looks a code up once per value and run', async () => {
  const { id, vatCode } = await someCompany();
  const input = Array.from({ length: 12 }, (_, index) => ({
    json: { code: index % 2 ? vatCode : ` ${vatCode.toLowerCase()}` },
  }));
  const made = jsonOf(await runAction(sandbox(), get('={{ $json.code }}'), { input }));
  expect(made).toHaveLength(12);
  expect(made).toEqual(made.map(() => expect.objectContaining({ id })));
  expect((await asked()).filter((one) => one === 'GET /companies')).toHaveLength(1);
});

test('filters a list, and files documents, for the company with the code', async () => {
  const { id, registrationCode } = await someCompany();
  const filters = { companyId: byCode(registrationCode) };
  jsonOf(await runAction(sandbox(), { resource: 'document', operation: 'getAll', filters }));
  expect((await sandbox().requests()).at(-1)).toMatchObject({ query: { companyId: id } });
  const data = { data: Buffer.from('x').toString('base64'), mimeType: 'text/plain', fileName: 'a.txt' };
  const upload = { resource: 'document', operation: 'upload', companyId: byCode(registrationCode) };
  const input = [{ json: {}, binary: { data } }];
  expect(jsonOf(await runAction(sandbox(), upload, { input }))).toEqual([
    expect.objectContaining({ companyId: id }),
  ]);
});

test('updates of one company keep the order of their items, however its code is written', async () => {
  const { id, vatCode } = await someCompany();
  const input = [
    { json: { code: vatCode, word: 'one' } },
    { json: { code: vatCode.replace(/^EE/, ''), word: 'two' } },
  ];
  const update = {
    resource: 'company',
    operation: 'update',
    companyId: byCode('={{ $json.code }}'),
    updateFields: { shortName: '={{ $json.word }}' },
  };
  await sandbox().control('faults', [
    { method: 'PATCH', path: '/companies/*', times: 1, fault: 'delay', delayMs: 300 },
  ]);
  jsonOf(await runAction(sandbox(), update, { input }));
  const { body } = await sandbox().call<Company>({ path: `/companies/${id}` });
  expect(body.shortName).toBe('two');
});

test('says it when no company has the code, and when it is none, and goes on with the other items', async () => {
  const { id, vatCode } = await someCompany();
  const input = [vatCode, 'EE999999999', 'Õunapuu', 'EE 999999999'].map((code) => ({ json: { code } }));
  const result = await runAction(sandbox(), get('={{ $json.code }}'), {
    input,
    onError: 'continueErrorOutput',
  });
  expect(jsonOf(result)).toEqual([expect.objectContaining({ id })]);
  expect(result.outputs[1]?.map(({ json }) => json.message)).toEqual([
    'Company with registration or VAT code "EE999999999" not found, or the key has no access to it. Check the code, or select the company from the list.',
    'Company is not a registration or VAT code: "Õunapuu". Check the code.',
    'Company with registration or VAT code "EE999999999" not found, or the key has no access to it. Check the code, or select the company from the list.',
  ]);
  expect(result.outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([
    { item: 1 },
    { item: 2 },
    { item: 3 },
  ]);
});

describe('At an agency whose companies share a code', () => {
  const rows = ['cmp_1', 'cmp_2'].map((id) => ({
    id,
    name: `Õunapuu ${id}`,
    registrationCode: '14876421',
    vatCode: null,
  }));
  const url = useServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: rows, nextCursor: null }));
  });

  test('names them all', async () => {
    const credential = { address: url(), token: 'key' };
    const { error } = await runAction(sandbox(), get('14876421'), { credential });
    expect(error?.message).toBe(
      'Company is ambiguous: 2 companies have the code "14876421": Õunapuu cmp_1 (cmp_1), Õunapuu cmp_2 (cmp_2). [item 0]',
    );
    expect(error?.description).toBe('Select the company from the list, or enter its ID.');
  });
});
