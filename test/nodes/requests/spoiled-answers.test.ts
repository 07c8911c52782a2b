import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { runAction } from '../../support/action/action';
import { loadEngine, type NodeResult } from '../../support/engine';
import { everyOperation, freshPdf, type OperationRow } from '../../support/action/every-operation';
import { passTimeFaster } from '../../support/time/fast-time';
import { companyById, listedCompanies } from '../../support/action/company';
import { itemsWithFiles } from '../../support/action/files';
import { exportedSettings } from '../../support/action/settings';
import { useSandbox } from '../../support/sandbox/sandbox';
import { concurrently } from '../../support/time/concurrency';
import { type Passed, type Spoiling, SPOILINGS, SpoilingProxy } from '../../support/proxies/spoiling-proxy';

const sandbox = useSandbox({ documents: 100, rateLimit: 'off' });

let turn = 0;
/** Another one for every run, so that runs at the same time do not change the same record. */
const nextCompany = async () => {
  const companies = await listedCompanies(sandbox());
  return companies[(turn += 1) % companies.length] ?? companies[0];
};
const company = async () => companyById((await nextCompany()).id);
const document = async () =>
  String((await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/documents' })).body.data[0]?.id);
const FILE = { binaryPropertyName: 'data' };

interface Row extends OperationRow {
  /** What is said instead of that the agency's answer is none. */
  says?: RegExp;
}

/** Looks and lists before the request that decides, and the bytes of a file after it. */
const BESIDES: Row[] = [
  {
    operation: 'company:get',
    request: /^GET \/companies$/,
    parameters: async () => {
      const companies = await listedCompanies(sandbox());
      const code = companies.find(({ vatCode }) => vatCode)?.vatCode;
      return { companyId: { __rl: true, mode: 'code', value: String(code) } };
    },
  },
  {
    operation: 'companyPlaybook:append',
    request: /^GET/,
    parameters: async () => ({ companyId: await company(), markdown: `- ${(turn += 1)}` }),
    identifies: 'companyId',
  },
  {
    operation: 'companySettings:update',
    request: /^GET/,
    parameters: async () => ({
      companyId: companyById((await exportedSettings(sandbox())).companyId),
      export: { xmlImportParameter: `X${(turn += 1)}` },
    }),
    identifies: 'companyId',
  },
  {
    operation: 'document:upload',
    request: /^GET \/documents$/,
    parameters: async () => ({ companyId: await company(), ...FILE, ifAlreadyThere: 'skip' }),
  },
  {
    operation: 'document:upload',
    request: /^GET \/events$/,
    parameters: async () => ({
      companyId: await company(),
      ...FILE,
      options: { waitForRecognition: true, stopWaitingAfterSeconds: 1 },
    }),
  },
  {
    operation: 'document:download',
    request: /^GET .*\/content$/,
    parameters: async () => ({ documentId: await document(), ...FILE }),
    says: /The downloaded file is (smaller|larger) than the agency says|could not be reached/,
  },
];

const ROWS: Row[] = [...everyOperation(sandbox), ...BESIDES];

test('Every operation of the node is tried here', () => {
  const all = RESOURCES.flatMap(({ value, operations }) => operations.map((one) => `${value}:${one.value}`));
  expect([...new Set(ROWS.map(({ operation }) => operation))].sort()).toEqual(all.sort());
});

/** What is spoiled for an operation: without what the contract cannot tell from its answer. */
const spoilingsOf = ({ takesAnyAnswer, takesNothing }: Row) =>
  Object.entries(SPOILINGS).filter(([name]) => {
    const isNothing = ['an empty body', 'no content', '{}', '{"status":"ok"}'].includes(name);
    if (takesAnyAnswer) return !isNothing;
    // The agency's own answer to a removal has no body, so there is no half of it.
    return !(takesNothing && (isNothing || name.startsWith('half')));
  });

/** One run of an operation, of whose requests the first answers are spoiled in one way. */
interface Cell {
  row: Row;
  times: number;
  answer: Spoiling['answer'];
}

interface Outcome extends NodeResult {
  address: string;
  passed: Passed[];
}

const cells: Array<Cell & { outcome?: Promise<Outcome> }> = [];
const cellOf = (row: Row, times: number, answer: Spoiling['answer']) => {
  const cell: (typeof cells)[number] = { row, times, answer };
  cells.push(cell);
  return async () => {
    if (cell.outcome === undefined) throw new Error('This cell was not run.');
    return await cell.outcome;
  };
};

async function run({ row, times, answer }: Cell): Promise<Outcome> {
  const [resource, operation] = row.operation.split(':');
  const parameters = { resource, operation, ...(await row.parameters()) };
  const proxy = await SpoilingProxy.start(sandbox().url, { request: row.request, times, answer });
  const { address, passed } = proxy;
  const credential = { address, token: sandbox().keys.full };
  const input = itemsWithFiles({ files: { data: { bytes: freshPdf(), name: 'a.pdf' } } });
  const executionId = new URL(address).port;
  const result = await runAction(sandbox(), parameters, { credential, input, executionId });
  await proxy.close();
  return { ...result, address, passed };
}

beforeAll(async () => {
  await loadEngine();
  passTimeFaster(60);
  const runs = cells.map((cell) => async () => {
    cell.outcome = run(cell);
    await Promise.allSettled([cell.outcome]);
  });
  await concurrently(runs, 20);
}, 300_000);
afterAll(() => jest.restoreAllMocks());

/** The writes that got through and were no repeats. */
const done = (passed: Passed[]): string[] =>
  passed
    .filter(({ request, isReplay, status }) => !request.startsWith('GET') && !isReplay && status < 300)
    .map(({ request }) => request);

function expectDoneOnce(passed: Passed[]): void {
  const requests = done(passed);
  expect(requests).toEqual([...new Set(requests)]);
}

describe.each(ROWS.map((row) => ({ row, title: `${row.operation}, ${row.request.source}` })))(
  '$title',
  ({ row }) => {
    for (const [name, answer] of spoilingsOf(row)) {
      const always = cellOf(row, Number.POSITIVE_INFINITY, answer);
      test(`always answered with ${name} is no success`, async () => {
        const { address, error, outputs, passed } = await always();
        expect(error?.message).toMatch(
          row.says ?? new RegExp(`${address}.*(not from the agency's API|could not be reached)`),
        );
        expect(outputs.flat()).toEqual([]);
        expectDoneOnce(passed);
        if (row.request.source.startsWith('^GET')) expect(done(passed)).toEqual([]);
      });

      const once = cellOf(row, 1, answer);
      test(`once answered with ${name} gives the record, and is done once`, async () => {
        const { error, outputs, passed } = await once();
        expect(error).toBeUndefined();
        expect(outputs[0]?.[0]?.json[row.identifies ?? 'id']).toEqual(expect.stringMatching(/./));
        expectDoneOnce(passed);
      });
    }
  },
);
