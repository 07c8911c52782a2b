import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

type Entry = Schemas['CompanyPeriod'];

const parameters = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'monthEndWork',
  operation: 'getCompanies',
  period: sandbox().period,
  output: 'all',
  ...more,
});

async function entries(query: Record<string, string | number> = {}): Promise<Entry[]> {
  const { body } = await sandbox().call<{ data: Entry[] }>({
    path: '/company-periods',
    query: { period: sandbox().period, limit: 200, ...query },
  });
  return body.data;
}

/** The queries of the requests that the node made, after those of the test itself. */
async function queries(): Promise<unknown[]> {
  return (await sandbox().requests())
    .filter(({ headers }) => headers['user-agent'] !== 'node')
    .map(({ query }) => query);
}

test('lists a month, as many entries as the limit asks for', async () => {
  const result = await runAction(sandbox(), parameters({ limit: 3 }));
  expect(jsonOf(result)).toEqual((await entries()).slice(0, 3));
  expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0].map((item) => ({ item })));
  expect(await queries()).toEqual([{ period: sandbox().period, limit: '3' }]);
});

test('returns all, page by page', async () => {
  const result = jsonOf(await runAction(sandbox(), parameters({ returnAll: true })));
  expect(new Set(result.map((entry) => JSON.stringify(entry))).size).toBe(result.length);
  expect(result.length).toBeGreaterThan(200);
  const [first, second] = await queries();
  expect(first).toEqual({ period: sandbox().period, limit: '200' });
  expect(second).toEqual({ period: sandbox().period, limit: '200', cursor: expect.any(String) });
});

test('sends every filter, with stray spaces dropped', async () => {
  const entry = (await entries()).find(({ obligations }) =>
    obligations.some((one) => one.assigneeUserId !== null),
  );
  const assigneeUserId = entry?.obligations.find((one) => one.assigneeUserId !== null)?.assigneeUserId ?? '';
  const { companyId = '', status = '' } = entry ?? {};
  const filters = { companyId: companyById(` ${companyId} `), status, assigneeUserId: ` ${assigneeUserId}` };
  expect(jsonOf(await runAction(sandbox(), parameters({ filters })))).toEqual([entry]);
  expect(await queries()).toEqual([
    { period: sandbox().period, companyId, status, assigneeUserId, limit: '50' },
  ]);
});

test.each(['done', 'open', 'overdue'])('knows the status %s', async (status) => {
  const found = jsonOf(await runAction(sandbox(), parameters({ filters: { status }, limit: 2 })));
  const expected = (await entries({ status })).slice(0, 2);
  expect(expected.map((entry) => entry.status)).toEqual([status, status]);
  expect(found).toEqual(expected);
});

test('outputs the most used fields, counts flattened, when simplified', async () => {
  const [entry] = await entries();
  const { id, companyId, companyName, period, status, nextDueDate, counts, documents } = entry ?? {};
  expect(jsonOf(await runAction(sandbox(), parameters({ output: 'simplified', limit: 1 })))).toEqual([
    {
      id,
      companyId,
      companyName,
      period,
      status,
      nextDueDate,
      obligationsTotal: counts?.total,
      obligationsOpen: counts?.open,
      obligationsOverdue: counts?.overdue,
      documentsInbox: documents?.inbox,
    },
  ]);
});

test('takes a month, a date as text, a Luxon date and a JavaScript date, each from its own item', async () => {
  const timezone = 'Pacific/Auckland';
  const newest = sandbox().period;
  const before = (months: number) => DateTime.fromISO(newest).minus({ months }).endOf('month');
  const [one, two, three, four] = [1, 2, 3, 4].map((count) => before(count).toFormat('yyyy-MM'));
  const instant = DateTime.fromISO(`${newest}-01T00:30`, { zone: timezone }).toUTC().toISO();
  const months: Array<[string, string | undefined]> = [
    [`={{ ' ${one} ' }}`, one],
    [`={{ '${before(2).toISODate()}' }}`, two],
    [`={{ '${before(3).toISODate()}T23:59:59' }}`, three],
    [`={{ DateTime.fromISO('${before(4).toISODate()}T23:59') }}`, four],
    [`={{ new Date('${instant}') }}`, newest],
    [`={{ '${instant}' }}`, newest],
  ];
  for (const [period, month] of months) {
    const found = jsonOf(await runAction(sandbox(), parameters({ period, limit: 1 }), { timezone }));
    expect(found).toEqual([expect.objectContaining({ period: month })]);
  }
  const input = [{ json: { month: two } }, { json: { month: before(1).toISODate() } }];
  const each = await runAction(sandbox(), parameters({ period: '={{ $json.month }}', limit: 1 }), { input });
  expect(jsonOf(each)).toEqual([
    expect.objectContaining({ period: two }),
    expect.objectContaining({ period: one }),
  ]);
  expect(each.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

test('refuses what is no month, and filters out of bounds, by name and before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{ period: "={{ '' }}" }, 'Period is not a month: it is empty.'],
    [{ period: '2026-13' }, 'Period is not a month: "2026-13".'],
    [{ period: '2026-1' }, 'Period is not a month: "2026-1".'],
    [{ period: '2026-02-30' }, 'Period is not a calendar date: "2026-02-30".'],
    [{ period: 'November' }, 'Period is not a month: "November".'],
    [{ filters: { status: 'late' } }, 'Status cannot be "late".'],
    [
      { filters: { assigneeUserId: 'x'.repeat(201) } },
      'Assignee User ID has 201 characters, but only 200 are allowed.',
    ],
    [
      { filters: { companyId: companyById('x'.repeat(201)) } },
      'Company has 201 characters, but only 200 are allowed.',
    ],
    [{ limit: 0 }, 'Limit must be a whole number of at least 1, not 0.'],
  ];
  for (const [changes, message] of refused) {
    const { error } = await runAction(sandbox(), parameters(changes));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});
