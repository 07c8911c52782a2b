import { DateTime, Settings } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { type Reading, useReadingProxy } from '../../support/proxies/reading-proxy';
import { inValues } from '../../support/proxies/readings';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });
const proxy = useReadingProxy(() => sandbox().url);

type Entry = Schemas['CompanyPeriod'];

const parameters = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'monthEndWork',
  operation: 'getObligations',
  period: 'other',
  month: sandbox().period,
  returnAll: true,
  output: 'all',
  ...more,
});

type Obligations = Awaited<ReturnType<typeof readBoard>>;
let known: Obligations | undefined;

/** The month's obligations as the seed has them, read once. */
async function board(): Promise<Obligations> {
  return (known ??= await readBoard());
}

/** Every obligation of the month with its company's entry, in the agency's order. */
async function readBoard(period = sandbox().period) {
  const entries: Entry[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const query = { period, limit: 200, cursor };
    const { body } = await sandbox().call<{ data: Entry[]; nextCursor: string | null }>({
      path: '/company-periods',
      query,
    });
    entries.push(...body.data);
    cursor = body.nextCursor ?? undefined;
  }
  return entries.flatMap(({ obligations, companyName, primaryAccountantUserId }) =>
    obligations.map((one) => ({ companyName, ...one, primaryAccountantUserId })),
  );
}

/** The queries of the requests that the node made, after those of the test itself. */
async function queries(): Promise<Array<Record<string, unknown>>> {
  return (await sandbox().requests())
    .filter(({ headers }) => headers['user-agent'] !== 'node')
    .map(({ query }) => query);
}

const dayIn = (days: number, zone = 'UTC') => DateTime.now().setZone(zone).plus({ days }).toISODate() ?? '';

test('lists one item for each obligation, with its company, in no more requests than there are pages', async () => {
  const all = await board();
  const result = await runAction(sandbox(), parameters());
  expect(jsonOf(result)).toEqual(all);
  expect(all.length).toBeGreaterThan(400);
  expect(result.outputs[0]?.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(
    true,
  );
  expect((await queries()).map(({ limit }) => limit)).toEqual(['200', '200']);
});

test('stops at the limit, counted in obligations', async () => {
  const all = await board();
  for (const limit of [1, 3, 300]) {
    const made = jsonOf(await runAction(sandbox(), parameters({ returnAll: false, limit })));
    expect(made).toEqual(all.slice(0, limit));
  }
  expect(await queries()).toHaveLength(3);
});

test('outputs ten fields, what people read first, when simplified', async () => {
  const [first] = await board();
  const { companyName, label, period, dueDate, status, overdue, assigneeUserId, code, companyId, id } =
    first ?? {};
  const short = { companyName, label, dueDate, assigneeUserId, status, overdue, period, code, companyId, id };
  const [made] = jsonOf(
    await runAction(sandbox(), parameters({ output: 'simplified', returnAll: false, limit: 1 })),
  );
  expect(made).toEqual(short);
  expect(Object.keys(Object(made))).toEqual(Object.keys(short));
});

test('asks the agency for company and assignee, and keeps only what is assigned to that person', async () => {
  const all = await board();
  const shared = all.find(
    (one) =>
      one.assigneeUserId &&
      all.some((two) => two.companyId === one.companyId && two.assigneeUserId !== one.assigneeUserId),
  );
  const { companyId = '', assigneeUserId } = shared ?? {};
  const filters = { companyId: companyById(companyId), assigneeUserId: ` ${assigneeUserId} ` };
  const wanted = all.filter((one) => one.companyId === companyId && one.assigneeUserId === assigneeUserId);
  expect(jsonOf(await runAction(sandbox(), parameters({ filters })))).toEqual(wanted);
  expect(await queries()).toEqual([{ period: sandbox().period, companyId, assigneeUserId, limit: '200' }]);
});

test.each([
  ['overdue only', { overdueOnly: true }, ({ overdue }) => overdue],
  ['overdue only switched off', { overdueOnly: false }, () => true],
  ['one status', { statuses: ['waiting'] }, ({ status }) => status === 'waiting'],
  ['several statuses', { statuses: ['done', 'todo'] }, ({ status }) => ['done', 'todo'].includes(status)],
  [
    'statuses as an expression gives them',
    { statuses: "={{ 'done, todo' }}" },
    ({ status }) => ['done', 'todo'].includes(status),
  ],
  ['none of the statuses', { statuses: [] }, () => true],
] satisfies Array<[string, INodeParameters, (one: Schemas['Obligation']) => boolean]>)(
  'filters by %s',
  async (_, filters, isWanted) => {
    const all = await board();
    const wanted = all.filter(isWanted);
    expect(wanted.length).toBeGreaterThan(0);
    expect(jsonOf(await runAction(sandbox(), parameters({ filters })))).toEqual(wanted);
  },
);

test.each([0, 10])('lists what is unfinished and due within %d days, the overdue with it', async (days) => {
  const all = await board();
  const wanted = all.filter(
    ({ status, dueDate }) => !['done', 'not_applicable'].includes(status) && dueDate <= dayIn(days),
  );
  const made = jsonOf(
    await runAction(sandbox(), parameters({ filters: { dueWithinDays: days } }), { timezone: 'UTC' }),
  );
  expect(made).toEqual(wanted);
});

/** An agency that writes the days on which something is due in another way. */
const inDueDates = (write: (day: string) => string): Reading =>
  inValues((value, name) => (name === 'dueDate' && typeof value === 'string' ? write(value) : value));

test.each<[string, (day: string) => string]>([
  ['midnight in UTC', (day) => `${day}T00:00:00.000Z`],
  ['midnight with its offset', (day) => `${day}T00:00:00+03:00`],
  [
    'midnight in the time zone of the workflow',
    (day) => `${DateTime.fromISO(day, { zone: 'Europe/Tallinn' }).toUTC().toISO()}`,
  ],
])('lists the same when the agency gives a due date as %s', async (_, write) => {
  const ids = async () => {
    const { outputs } = await runAction(sandbox(), parameters({ filters: { dueWithinDays: 10 } }), {
      timezone: 'Europe/Tallinn',
      credential: { address: proxy.address(), token: sandbox().keys.full },
    });
    return outputs[0]?.map(({ json }) => json.id) ?? [];
  };
  proxy.read({});
  const expected = await ids();
  expect(expected.length).toBeGreaterThan(0);
  proxy.read(inDueDates(write));
  expect(await ids()).toEqual(expected);
});

test('counts the days in the time zone of the workflow', async () => {
  // These two zones are 25 hours apart, so it is always two different days there.
  const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const dueDates = async (timezone: string) => {
    const days = Math.round(
      DateTime.fromISO(dueDate).diff(DateTime.fromISO(dayIn(0, timezone)), 'days').days,
    );
    const on = async (dueWithinDays: number) =>
      (
        jsonOf(
          await runAction(sandbox(), parameters({ filters: { dueWithinDays } }), { timezone }),
        ) as Array<{ dueDate: string }>
      ).some((one) => one.dueDate === dueDate);
    return { days, onTheDay: await on(days), theDayBefore: await on(days - 1) };
  };
  const dueDate =
    (await board())
      .filter(({ status }) => status === 'todo')
      .map((one) => one.dueDate)
      .sort()
      .at(-1) ?? '';
  const [first, second] = [await dueDates(early), await dueDates(late)];
  expect(first).toMatchObject({ onTheDay: true, theDayBefore: false });
  expect(second).toMatchObject({ onTheDay: true, theDayBefore: false });
  expect(second.days).toBeGreaterThan(first.days);
});

test('takes last month, this month, and what an expression gives as the month', async () => {
  const now = DateTime.now().setZone('UTC');
  const [last, current] = [now.minus({ months: 1 }), now].map((month) => month.toFormat('yyyy-MM'));
  const months: Array<[INodeParameters, string | undefined]> = [
    [{ period: 'lastMonth' }, last],
    [{ period: 'thisMonth' }, current],
    [{ period: "={{ '2026-08' }}" }, '2026-08'],
    [{ period: 'other', month: '2026-09-30' }, '2026-09'],
  ];
  for (const [period] of months) {
    await runAction(sandbox(), parameters({ ...period, returnAll: false, limit: 1 }), { timezone: 'UTC' });
  }
  expect((await queries()).map(({ period }) => period)).toEqual(months.map(([, month]) => month));
});

test.each([
  ['UTC', '2026-09', '2026-10'],
  ['Europe/Tallinn', '2026-10', '2026-11'],
])('counts the months in the time zone of the workflow: %s', async (timezone, last, current) => {
  const { now } = Settings;
  Settings.now = () => Date.parse('2026-10-31T22:30:00Z');
  try {
    for (const period of ['lastMonth', 'thisMonth'])
      await runAction(sandbox(), parameters({ period, returnAll: false, limit: 1 }), { timezone });
  } finally {
    Settings.now = now;
  }
  expect((await queries()).map(({ period }) => period)).toEqual([last, current]);
});

test('refuses what it cannot use by name, before any request', async () => {
  const refused: Array<[INodeParameters, string]> = [
    [{ month: '' }, 'Month is not a month: it is empty.'],
    [{ month: '2026-13' }, 'Month is not a month: "2026-13".'],
    [{ period: 'nextMonth' }, 'Period is not a month: "nextMonth".'],
    [{ filters: { statuses: ['late'] } }, 'Status cannot be "late".'],
    [{ filters: { dueWithinDays: -1 } }, 'Due Within (Days) must be a whole number from 0 to 366, not -1.'],
    [{ filters: { overdueOnly: 'perhaps' } }, 'Overdue Only must be true or false, not "perhaps".'],
    [{ filters: { statuses: '={{ [] }}' } }, 'Status is an expression that returns nothing for this item.'],
  ];
  for (const [changes, message] of refused) {
    const { error } = await runAction(sandbox(), parameters(changes));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await sandbox().requests()).toEqual([]);
});
