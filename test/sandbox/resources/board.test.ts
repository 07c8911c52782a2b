import { DateTime } from 'luxon';
import type { Company, CompanyPeriod, Obligation, Task } from '../../../sandbox/records';
import { readAll, watchFeed } from '../../support/sandbox/pages';
import { useSandbox, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const periods = (query: Record<string, string | number> = {}, key?: string) =>
  readAll<CompanyPeriod>(sandbox(), '/company-periods', { period: sandbox().period, ...query }, key);

/** A page of the open entries of a month. */
const openPage = async (limit: number, cursor?: string | null) => {
  const query = { period: sandbox().period, status: 'open', limit, cursor: cursor ?? undefined };
  const call = { path: '/company-periods', query };
  return (await sandbox().call<{ data: CompanyPeriod[]; nextCursor: string | null }>(call)).body;
};

/** Lets the month after next begin, counted from the seed's newest one. */
async function beginMonth(): Promise<DateTime> {
  const month = DateTime.fromISO(sandbox().period, { zone: 'utc' }).plus({ months: 2 });
  await sandbox().control('clock', { advanceSeconds: Math.ceil(month.diffNow('seconds').seconds) });
  return month;
}

const isClosed = ({ status }: Obligation) => status === 'done' || status === 'not_applicable';

describe('the work board', () => {
  test('has one entry for each company, in the order of their names', async () => {
    const companies = await readAll<Company>(sandbox(), '/companies');
    const entries = await periods({ limit: 30 });
    expect(entries.map(({ companyId, companyName }) => [companyId, companyName])).toEqual(
      companies.map(({ id, name }) => [id, name]),
    );
  });

  test('derives counts, status and next due date from the obligations', async () => {
    const entries = await periods();
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(['done', 'open', 'overdue']));
    for (const { obligations, counts, status, nextDueDate } of entries) {
      const closed = obligations.filter(isClosed);
      const late = obligations.filter(({ overdue }) => overdue);
      expect(counts).toEqual({
        total: obligations.length,
        done: obligations.filter((one) => one.status === 'done').length,
        notApplicable: obligations.filter((one) => one.status === 'not_applicable').length,
        overdue: late.length,
        open: obligations.length - closed.length - late.length,
      });
      expect(status).toBe(counts.overdue ? 'overdue' : counts.open ? 'open' : 'done');
      const dates = obligations.filter((one) => !isClosed(one)).map(({ dueDate }) => dueDate);
      expect(nextDueDate).toBe(dates.sort()[0] ?? null);
    }
  });

  test('becomes overdue by the clock, the day after the due date', async () => {
    const open = (await periods()).find(({ counts }) => counts.open > 0 && counts.overdue === 0);
    const obligation = open?.obligations.find((one) => !isClosed(one));
    if (!open || !obligation) throw new Error('No company has only open work');
    await sandbox().control('clock', { advanceSeconds: 400 * 24 * 3600 });
    const later = (await periods({ companyId: open.companyId }))[0];
    expect(later?.status).toBe('overdue');
    expect(later?.obligations.find(({ id }) => id === obligation.id)?.overdue).toBe(true);
  });

  test.each([['done'], ['open'], ['overdue']])('filters by the status %s', async (status) => {
    const all = await periods();
    expect(await periods({ status, limit: 10 })).toEqual(all.filter((entry) => entry.status === status));
  });

  test('has pages that follow each other, also when a company leaves the filter in between', async () => {
    const [first, second] = (await openPage(2)).data;
    const { nextCursor } = await openPage(1);
    for (const { id } of first?.obligations ?? []) {
      await sandbox().control(`obligations/${id}`, { status: 'done' });
    }
    expect((await openPage(1)).data[0]?.id).toBe(second?.id);
    expect((await openPage(1, nextCursor)).data[0]?.id).toBe(second?.id);
  });

  test('filters by company and by assignee', async () => {
    const all = await periods();
    const assigneeUserId = all
      .flatMap(({ obligations }) => obligations)
      .find((one) => one.assigneeUserId)?.assigneeUserId;
    const assigned = all.filter(({ obligations }) =>
      obligations.some((one) => one.assigneeUserId === assigneeUserId),
    );
    expect(assigned.length).toBeLessThan(all.length);
    expect(await periods({ assigneeUserId: assigneeUserId ?? '' })).toEqual(assigned);
    const companyId = assigned[0]?.companyId ?? '';
    expect(await periods({ companyId })).toEqual([assigned[0]]);
    expect(await periods({ assigneeUserId: 'nobody' })).toEqual([]);
  });

  test('shows a key for one company its own entry', async () => {
    const key = sandbox().keys.singleCompany;
    expect(await periods({}, key)).toHaveLength(1);
    const own = (await periods({}, key))[0]?.companyId;
    const other = (await periods()).find(({ companyId }) => companyId !== own);
    const query = { period: sandbox().period, companyId: other?.companyId };
    const { status } = await sandbox().call({ path: '/company-periods', query, key });
    expect(status).toBe(403);
  });

  test.each([
    [{}, 'period'],
    [{ period: '2026-13' }, 'period'],
    [{ period: '2026-1' }, 'period'],
    [{ period: '2026-11-01' }, 'period'],
    [{ period: '2026-11', status: 'todo' }, 'status'],
    [{ period: '2026-11', assigneeUserId: '' }, 'assigneeUserId'],
  ])('refuses %j', async (query, path) => {
    const { status, body } = await sandbox().call({ path: '/company-periods', query: { ...query } });
    expect([status, body.error.details?.issues?.[0]?.path]).toEqual([400, path]);
  });

  test('opens a month once when it begins, with all its work to do', async () => {
    const newest = await periods();
    const period = (await beginMonth()).toFormat('yyyy-MM');
    const opened = await periods({ period });
    expect(
      opened.map(({ companyId, primaryAccountantUserId }) => [companyId, primaryAccountantUserId]),
    ).toEqual(newest.map(({ companyId, primaryAccountantUserId }) => [companyId, primaryAccountantUserId]));
    const obligations = opened.flatMap((entry) => entry.obligations);
    expect(new Set(obligations.map(({ status }) => status))).toEqual(new Set(['todo', 'not_applicable']));
    const known = newest.flatMap((entry) => entry.obligations.map(({ id }) => id));
    expect(Math.min(...obligations.map(({ id }) => id))).toBeGreaterThan(Math.max(...known));
    expect(new Set(obligations.map(({ id }) => id)).size).toBe(obligations.length);
    const [first] = obligations.filter(({ status }) => status === 'todo');
    await sandbox().control(`obligations/${first?.id}`, { status: 'done' });
    const again = await periods({ period });
    expect(again.map(({ id }) => id)).toEqual(opened.map(({ id }) => id));
    expect(again.flatMap((entry) => entry.obligations).find(({ id }) => id === first?.id)?.status).toBe(
      'done',
    );
  });

  test('opens a month with the companies as they are when it begins', async () => {
    const employer = (await periods()).find(({ hasEmployees }) => hasEmployees);
    const month = await beginMonth();
    const body = { employeesTo: month.minus({ months: 2 }).toISODate() };
    await sandbox().call({ method: 'PATCH', path: `/companies/${employer?.companyId}`, body });
    const query = { period: month.toFormat('yyyy-MM'), companyId: employer?.companyId ?? '' };
    expect((await periods(query))[0]?.hasEmployees).toBe(true);
  });

  test('is empty in a month without work', async () => {
    expect(await periods({ period: '1999-01' })).toEqual([]);
  });
});

describe('a work change', () => {
  test('of status or assignee is announced, one that changes nothing is not', async () => {
    const entry = (await periods({ status: 'open' }))[0];
    const obligation = entry?.obligations.find((one) => !isClosed(one));
    if (!entry || !obligation) throw new Error('There is no open work');
    const feed = await watchFeed(sandbox());
    const route = `obligations/${obligation.id}`;
    await sandbox().control(route, { status: 'done' });
    await sandbox().control(route, { assigneeUserId: 'usr_new' });
    await sandbox().control(route, { assigneeUserId: 'usr_new', status: 'done' });
    const { companyId } = entry;
    const subject = { type: 'obligation', id: String(obligation.id) };
    const event = { type: 'obligation.updated', companyId, subject };
    expect(await feed.since()).toMatchObject([event, event]);
    const after = (await periods({ companyId }))[0]?.obligations.find(({ id }) => id === obligation.id);
    expect(after).toMatchObject({ status: 'done', completionSource: 'manual', assigneeUserId: 'usr_new' });
    expect(after?.completedAt).not.toBeNull();
    await expect(sandbox().control('obligations/0', { status: 'done' })).rejects.toThrow('404');
  });
});

/** A result that holds a list in a list in a list ... */
const nested = (depth: number) => ({
  status: 'x',
  lines: JSON.parse('['.repeat(depth) + ']'.repeat(depth)),
});

describe('a task', () => {
  const submit = <T = Task>(id: string, body: unknown, key?: string) =>
    sandbox().call<T>({ method: 'POST', path: `/tasks/${id}/result`, body, key });

  test('takes one result, with whatever fields its template has, and is announced', async () => {
    const feed = await watchFeed(sandbox());
    const [id = ''] = sandbox().tasks;
    const { status, body } = await submit(id, {
      status: 'needs_review',
      lines: [{ amount: 1.5 }],
      note: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'completed', resultStatus: 'needs_review' });
    expect(body.completedAt).not.toBeNull();
    expect(body).not.toHaveProperty('result');
    expect(await feed.since()).toMatchObject([
      { type: 'task.completed', companyId: body.companyId, subject: { type: 'task', id } },
    ]);
    const again = await submit<ApiErrorBody>(id, { status: 'done' });
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT']);
  });

  test('takes one result, also when two race', async () => {
    const [id = ''] = sandbox().tasks;
    const answers = await Promise.all(['a', 'b', 'c'].map((status) => submit<object>(id, { status })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test.each([
    ['no status', {}, 'status'],
    ['a status that is no text', { status: 1 }, 'status'],
    ['no object', [], ''],
    ['too deep a nest', nested(200), ''],
  ])('is refused with %s', async (_what, body, path) => {
    const answer = await submit<ApiErrorBody>(sandbox().tasks[0] ?? '', body);
    expect([answer.status, answer.body.error.details?.issues?.[0]?.path]).toEqual([422, path]);
  });

  test('of a company out of reach, or that does not exist, is not found', async () => {
    const key = await sandbox().newKey(['tasks:write_result'], []);
    expect((await submit(sandbox().tasks[0] ?? '', { status: 'x' }, key)).status).toBe(404);
    expect((await submit('nothing', { status: 'x' })).status).toBe(404);
  });
});
