import type { INodeParameters } from 'n8n-workflow';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { runAction } from '../../support/action';
import { companyById } from '../../support/company';
import { loadEngine } from '../../support/engine';
import { madeEndpoint } from '../../support/endpoint';
import { passTimeFaster } from '../../support/fast-time';
import { itemsWithFiles, pdf } from '../../support/files';
import { useSandbox } from '../../support/sandbox';
import { SPOILINGS, useSpoilingProxy } from '../../support/spoiling-proxy';
import { someCompany } from '../../support/uploads';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const proxy = useSpoilingProxy(() => sandbox().url);

beforeAll(async () => {
  await loadEngine();
  passTimeFaster(300);
});
afterAll(() => jest.restoreAllMocks());

let made = 0;
/** Bytes that no other test sends, so that no file is a duplicate. */
const freshPdf = () => pdf(`spoiled ${(made += 1)}`, 200);

const company = async () => companyById(await someCompany(sandbox()));
const firstOf = async (path: string) =>
  String(
    (await sandbox().call<{ data: Array<{ id: string }> }>({ path, query: { limit: 1 } })).body.data[0]?.id,
  );
const newFile = async () =>
  (
    await sandbox().call<{ id: string }>({
      method: 'POST',
      path: '/files',
      query: { filename: 'a.pdf' },
      headers: { 'content-type': 'application/pdf' },
      body: freshPdf(),
    })
  ).body.id;
const openTask = async () => {
  await sandbox().control('reset');
  return String(sandbox().tasks[0]);
};

interface Row {
  operation: string;
  /** The request whose answers are spoiled. */
  request: RegExp;
  parameters: () => Promise<INodeParameters>;
  /** What the first output item holds of a record. */
  identifies?: string;
  /** The contract promises nothing of the record, so any object is one. */
  takesAnyObject?: boolean;
  /** A removal may be answered with nothing. */
  takesNothing?: boolean;
}

const ROWS: Row[] = [
  { operation: 'company:get', request: /^GET/, parameters: async () => ({ companyId: await company() }) },
  { operation: 'company:getAll', request: /^GET/, parameters: async () => ({ returnAll: false, limit: 3 }) },
  {
    operation: 'company:update',
    request: /^PATCH/,
    parameters: async () => ({ companyId: await company(), updateFields: { shortName: `S${(made += 1)}` } }),
  },
  {
    operation: 'companyPeriod:getAll',
    request: /^GET/,
    parameters: async () => ({ period: sandbox().period, limit: 3 }),
  },
  {
    operation: 'companyPlaybook:get',
    request: /playbook/,
    parameters: async () => ({ companyId: await company() }),
    identifies: 'companyId',
  },
  {
    operation: 'companyPlaybook:replace',
    request: /^PUT/,
    parameters: async () => {
      const path = `/companies/${await someCompany(sandbox())}/playbook`;
      const { version } = (await sandbox().call<{ version: number }>({ path })).body;
      return { companyId: await company(), version: String(version), markdown: `# ${(made += 1)}` };
    },
    identifies: 'companyId',
  },
  {
    operation: 'companySettings:get',
    request: /settings/,
    parameters: async () => ({ companyId: await company() }),
    identifies: 'companyId',
  },
  {
    operation: 'companySettings:update',
    request: /^PATCH/,
    parameters: async () => ({
      companyId: await company(),
      export: { baseCurrency: 'EUR', companyCountryCode: 'EE', xmlImportParameter: `X${(made += 1)}` },
    }),
    identifies: 'companyId',
  },
  {
    operation: 'document:createFromFile',
    request: /^POST/,
    parameters: async () => ({ companyId: await company(), fileId: await newFile() }),
  },
  {
    operation: 'document:download',
    request: /^GET \/documents\/[^/]+$/,
    parameters: async () => ({ documentId: await firstOf('/documents'), binaryPropertyName: 'data' }),
  },
  {
    operation: 'document:get',
    request: /^GET/,
    parameters: async () => ({ documentId: await firstOf('/documents') }),
  },
  { operation: 'document:getAll', request: /^GET/, parameters: async () => ({ limit: 3 }) },
  {
    operation: 'document:upload',
    request: /^POST \/files/,
    parameters: async () => ({ companyId: await company(), binaryPropertyName: 'data' }),
  },
  {
    operation: 'document:upload',
    request: /^POST \/documents/,
    parameters: async () => ({ companyId: await company(), binaryPropertyName: 'data' }),
  },
  { operation: 'event:getAll', request: /^GET/, parameters: async () => ({ limit: 3 }) },
  {
    operation: 'file:download',
    request: /^GET \/files\/[^/]+$/,
    parameters: async () => ({ fileId: await newFile(), binaryPropertyName: 'data' }),
  },
  { operation: 'file:get', request: /^GET/, parameters: async () => ({ fileId: await newFile() }) },
  { operation: 'file:upload', request: /^POST/, parameters: async () => ({ binaryPropertyName: 'data' }) },
  {
    operation: 'task:submitResult',
    request: /^POST/,
    parameters: async () => ({ taskId: await openTask(), status: 'done' }),
  },
  {
    operation: 'webhookEndpoint:create',
    request: /^POST/,
    parameters: async () => ({ url: `https://127.0.0.1:1/${(made += 1)}`, eventTypes: ['*'] }),
    identifies: 'secret',
  },
  {
    operation: 'webhookEndpoint:delete',
    request: /^DELETE/,
    parameters: async () => ({ endpointId: (await madeEndpoint(sandbox())).id }),
    takesNothing: true,
  },
  {
    operation: 'webhookEndpoint:getDeliveries',
    request: /^GET/,
    parameters: async () => {
      const { id } = await madeEndpoint(sandbox());
      await sandbox().call({ method: 'POST', path: `/webhook-endpoints/${id}/test` });
      return { endpointId: id, limit: 3 };
    },
    identifies: 'eventId',
  },
  {
    operation: 'webhookEndpoint:sendTestEvent',
    request: /^POST/,
    parameters: async () => ({ endpointId: (await madeEndpoint(sandbox())).id }),
    identifies: 'eventId',
    takesAnyObject: true,
  },
  {
    operation: 'webhookEndpoint:update',
    request: /^PATCH/,
    parameters: async () => ({
      endpointId: (await madeEndpoint(sandbox())).id,
      updateFields: { description: `D${(made += 1)}` },
    }),
  },
];

test('Every operation of the node is tried here', () => {
  const all = RESOURCES.flatMap(({ value, operations }) => operations.map((one) => `${value}:${one.value}`));
  expect([...new Set(ROWS.map(({ operation }) => operation))].sort()).toEqual(all.sort());
});

/** What is spoiled for an operation: without what the contract cannot tell from its answer. */
const spoilingsOf = ({ takesAnyObject, takesNothing }: Row) =>
  Object.entries(SPOILINGS).filter(([name]) => {
    if (takesAnyObject) return name !== '{"status":"ok"}';
    const isNothing = ['an empty body', 'no content', '{}', '{"status":"ok"}'].includes(name);
    // The agency's own answer to a removal has no body, so there is no half of it.
    return !(takesNothing && (isNothing || name.startsWith('half')));
  });

async function run({ operation, parameters }: Row) {
  const [resource, name] = operation.split(':');
  return await runAction(
    sandbox(),
    { resource, operation: name, ...(await parameters()) },
    {
      credential: { address: proxy.address(), token: sandbox().keys.full },
      input: itemsWithFiles({ files: { data: { bytes: freshPdf(), name: 'a.pdf' } } }),
    },
  );
}

/** Of the writes that got through, all but the first were repeats of it. */
function expectDoneOnce(request: RegExp): void {
  const done = proxy.passed().filter((one) => request.test(one.request) && !one.request.startsWith('GET'));
  expect(done.slice(1).filter(({ isReplay, status }) => !isReplay && status < 300)).toEqual([]);
}

describe.each(ROWS.map((row) => ({ ...row, title: `${row.operation}, ${row.request.source}` })))(
  '$title',
  (row) => {
    test.each(spoilingsOf(row))('always answered with %s is no success', async (_, answer) => {
      proxy.spoil({ request: row.request, times: Number.POSITIVE_INFINITY, answer });
      const { error, outputs } = await run(row);
      expect(error?.message).toMatch(
        new RegExp(`${proxy.address()}.*(not from the agency's API|could not be reached)`),
      );
      expect(outputs.flat()).toEqual([]);
      expectDoneOnce(row.request);
    });

    test('once answered with each of them gives the record, and is done once', async () => {
      for (const [name, answer] of spoilingsOf(row)) {
        proxy.spoil({ request: row.request, times: 1, answer });
        const { error, outputs } = await run(row);
        expect([name, error]).toEqual([name, undefined]);
        const [item] = outputs[0] ?? [];
        expect([name, item?.json[row.identifies ?? 'id']]).toEqual([name, expect.stringMatching(/./)]);
        expectDoneOnce(row.request);
      }
    });
  },
);
