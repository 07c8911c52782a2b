import type { INodeParameters } from 'n8n-workflow';
import type { FaultPlan } from '../../../sandbox/control/faults';
import { systemClock } from '../../../nodes/shared/api/requests/wait';
import { jsonOf, runAction } from '../../support/action/action';
import type { NodeRun } from '../../support/engine';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { fastTime } from '../../support/time/time';
import { until } from '../../support/time/until';
import { requestsTo, useCompany, trail, uploadTo, useDocuments } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 30, rateLimit: 300 });
const company = useCompany(sandbox);
const ids = useDocuments(sandbox);

const getEach = (concurrency = 5) => ({
  resource: 'document',
  operation: 'get',
  documentId: '={{ $json.id }}',
  output: 'simplified',
  options: { concurrency },
});
const itemsOf = (wanted: string[]) => wanted.map((id) => ({ json: { id } }));
const fault = async (...plans: FaultPlan[]) => await sandbox().control('faults', plans);
const getOne = async (changes: Partial<NodeRun> = {}) =>
  await runAction(sandbox(), getEach(), { input: itemsOf(ids().slice(0, 1)), ...changes });

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

describe('Cancelling', () => {
  /** Cancels a run when the requests show that the moment has come, and sees that it ends within so many milliseconds. */
  const cancelled = async (
    parameters: INodeParameters,
    input: NodeRun['input'],
    moment: string,
    hasCome: () => Promise<boolean>,
    milliseconds: number,
  ) => {
    const stop = new AbortController();
    const running = runAction(sandbox(), parameters, { input, signal: stop.signal });
    await until(moment, hasCome);
    const start = Date.now();
    stop.abort();
    const { error } = await running;
    // The node says so, or n8n itself when it is quicker.
    expect(error?.message).toMatch(/^The execution was cancell?ed/);
    expect(Date.now() - start).toBeLessThan(milliseconds);
  };

  test('during a wait ends the node soon, and nothing more is sent', async () => {
    await fault({ times: 99, fault: 'status', status: 429, retryAfter: 5 });
    const refused = async () =>
      (await sandbox().requests()).filter(({ status }) => status === 429).length === 5;
    await cancelled(getEach(), itemsOf(ids()), 'five refused requests', refused, 3500);
    // The time for which the refusals asked is over: what still waited would send now.
    const now = systemClock.now();
    jest.spyOn(systemClock, 'now').mockImplementation(() => now + 10_000);
    await systemClock.sleep(1200);
    jest.restoreAllMocks();
    expect(await trail(sandbox())).toHaveLength(5);
  });

  test('during a request breaks it off', async () => {
    await fault({ times: 99, fault: 'delay', delayMs: 8000 });
    const asked = async () => (await trail(sandbox())).length === 5;
    await cancelled(getEach(), itemsOf(ids()), 'five requests', asked, 6000);
    expect(await trail(sandbox())).toHaveLength(5);
  });

  test('during the wait for text recognition ends the node soon', async () => {
    const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'a.pdf' } } });
    const parameters = uploadTo(company(), {
      options: { waitForRecognition: true, stopWaitingAfterSeconds: 600 },
    });
    const looksAfterFiling = async () => {
      const asked = await trail(sandbox());
      return asked.includes('POST /documents') && asked.at(-1) === 'GET /events';
    };
    // Slow looks, so that the document is not recognized before the run is cancelled.
    await fault({ path: '/events', times: 99, fault: 'delay', delayMs: 2000 });
    await cancelled(parameters, input, 'a look for news of the document', looksAfterFiling, 5000);
  });
});

describe('With time that passes at once', () => {
  const time = fastTime(sandbox);

  test.each([
    ['seconds', () => 2, 2000, 4000],
    ['no time at all', () => 0, 250, 3000],
    ['an HTTP date', () => new Date(Date.now() + 20_000).toUTCString(), 18_900, 23_000],
    ['a date that is over', () => new Date(Date.now() - 20_000).toUTCString(), 250, 3000],
    ['the longest that is waited for', () => 120, 120_000, 124_000],
    ['something else', () => 'soon', 250, 3000],
  ])('a 429 whose Retry-After is %s', async (_, retryAfter, least, most) => {
    await fault({ times: 1, fault: 'status', status: 429, retryAfter: retryAfter() });
    const start = systemClock.now();
    jsonOf(await getOne());
    const passed = systemClock.now() - start;
    expect(passed).toBeGreaterThanOrEqual(least);
    expect(passed).toBeLessThanOrEqual(most);
    expect(await trail(sandbox())).toHaveLength(2);
  });

  test('a 429 without Retry-After backs off', async () => {
    await fault({ times: 3, fault: 'status', status: 429 });
    jsonOf(await getOne());
    expect(await trail(sandbox())).toHaveLength(4);
    expect(sum(time.waits)).toBeGreaterThanOrEqual(250 + 500 + 1000);
  });

  test('a 429 for an hour ends soon, and says how long', async () => {
    await fault({ times: 1, fault: 'status', status: 429, retryAfter: 3600 });
    const { error } = await getOne();
    expect(error?.message).toBe(
      'The agency does not accept requests with this key for the next 60 minutes. [item 0]',
    );
    expect(time.waits).toEqual([]);
  });

  test.each<FaultPlan>([
    { times: 7, fault: 'status', status: 500 },
    { times: 7, fault: 'status', status: 503, code: 'STORAGE_UNAVAILABLE' },
    { times: 7, fault: 'reset-before' },
    { times: 7, fault: 'reset-after' },
  ])('seven times %p, and then an answer: eight attempts within ten minutes', async (plan) => {
    await fault(plan);
    jsonOf(await getOne());
    expect(await trail(sandbox())).toHaveLength(8);
    expect(sum(time.waits)).toBeLessThan(600_000);
  });

  test.each([
    [500, 'INTERNAL_ERROR', 'has an internal error'],
    [503, 'STORAGE_UNAVAILABLE', 'storage of the agency is not available'],
    [429, 'RATE_LIMITED', 'used up its 600 requests'],
  ] as const)('%i without end is told after some ten attempts', async (status, code, words) => {
    await fault({ times: 99, fault: 'status', status, code });
    const { error } = await getOne();
    expect(error?.message).toContain(words);
    expect(error?.context?.data).toMatchObject({ requestId: expect.stringMatching(/^req_/) });
    expect(await trail(sandbox())).toHaveLength(10);
    expect(sum(time.waits)).toBeLessThan(600_000);
  });

  test.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'INVALID_API_KEY'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [412, 'PRECONDITION_FAILED'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
  ] as const)('%i %s is final', async (status, code) => {
    await fault({ times: 1, fault: 'status', status, code });
    const { error } = await getOne();
    expect(error?.context?.data).toMatchObject({ status, code });
    expect(await trail(sandbox())).toHaveLength(1);
    expect(time.waits).toEqual([]);
  });

  test('a write that still runs elsewhere is waited for', async () => {
    await fault({ method: 'POST', times: 3, fault: 'status', status: 409, code: 'IDEMPOTENCY_KEY_IN_USE' });
    const input = itemsWithFiles({ files: { data: { bytes: pdf('a'), name: 'a.pdf' } } });
    jsonOf(await runAction(sandbox(), uploadTo(company()), { input }));
    const sent = await requestsTo(sandbox(), 'POST', '/files');
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(sent).toHaveLength(4);
  });

  test('after one 429 all items wait, and start again one after the other', async () => {
    await fault({ path: `/documents/${ids()[0]}`, times: 1, fault: 'status', status: 429, retryAfter: 30 });
    const result = await runAction(sandbox(), getEach(5), { input: itemsOf(ids()) });
    expect(jsonOf(result)).toHaveLength(ids().length);
    const requests = await sandbox().requests();
    const refused = Date.parse(requests.find(({ status }) => status === 429)?.time ?? '');
    const later = requests.map(({ time: at }) => Date.parse(at) - refused).filter((ms) => ms > 2000);
    expect(later.length).toBeGreaterThanOrEqual(ids().length - 9);
    expect(Math.min(...later)).toBeGreaterThanOrEqual(29_900);
    expect(requests).toHaveLength(ids().length + 1);
  });

  test('more items than the limit of a minute all come through', async () => {
    const many = Array.from({ length: 650 }, (_, index) => ids()[index % ids().length] ?? '');
    const result = await runAction(sandbox(), getEach(5), { input: itemsOf(many) });
    expect(jsonOf(result).map((json) => Object(json).id)).toEqual(many);
    const refusals = (await sandbox().requests()).filter(({ status }) => status === 429);
    // 300 a minute: two pauses, each with a refusal of every item that was under way.
    expect(refusals.length).toBeGreaterThanOrEqual(2);
    expect(refusals.length).toBeLessThanOrEqual(10);
  });

  test('an address where nothing answers is told by name, after it was tried for a while', async () => {
    const credential = { address: 'http://127.0.0.1:1/', token: 'k' };
    const { error } = await getOne({ credential });
    expect(error?.message).toBe(
      'The agency at http://127.0.0.1:1 could not be reached: nothing is listening at this address. [item 0]',
    );
    expect(sum(time.waits)).toBeGreaterThan(30_000);
  });
});
