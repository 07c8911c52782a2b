import type { Company, Document } from '../../../sandbox/records';
import { first } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });

const authorized = () => ({ authorization: `Bearer ${sandbox().keys.full}` });

async function change(address: string) {
  const { id } = await first<Company>(sandbox(), '/companies');
  return () =>
    fetch(`${sandbox().url}/api/v1/companies/${id}`, {
      method: 'PATCH',
      headers: { ...authorized(), 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
      signal: AbortSignal.timeout(1000),
    });
}

const address = async () => (await first<Company>(sandbox(), '/companies')).address;

const plan = (fault: string, more = {}) =>
  sandbox().control('faults', [{ fault, times: 1, path: '/companies/*', ...more }]);

test('`empty` does the work, and answers without a body', async () => {
  const patch = await change('Pikk 1');
  await plan('empty');
  const answer = await patch();
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
  expect(await address()).toBe('Pikk 1');
});

test('`html` does the work, and answers with a page, of another status when it is given', async () => {
  const patch = await change('Pikk 2');
  await plan('html', { status: 502 });
  const answer = await patch();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
  expect(await answer.text()).toMatch(/^<!doctype html>.*<\/html>$/);
  expect(await address()).toBe('Pikk 2');
  expect((await sandbox().requests()).find(({ method }) => method === 'PATCH')?.status).toBe(502);
});

/** Reads a body until it ends, breaks off or is silent for a second. */
async function received(answer: Response): Promise<{ bytes: number; ending: string }> {
  let bytes = 0;
  try {
    for await (const chunk of answer.body ?? []) bytes += chunk.length;
    return { bytes, ending: 'whole' };
  } catch (reason) {
    return { bytes, ending: String(reason) };
  }
}

test.each([
  ['truncate', 'TypeError: terminated'],
  ['stall', expect.stringMatching(/^TimeoutError/)],
])('`%s` does the work, and answers with half of a body', async (fault, ending) => {
  const patch = await change('Pikk 3');
  await plan(fault);
  const answer = await patch();
  const length = Number(answer.headers.get('content-length'));
  expect(await received(answer)).toEqual({ bytes: Math.floor(length / 2), ending });
  expect(await address()).toBe('Pikk 3');
  const whole = await patch();
  expect(await received(whole)).toEqual({ bytes: length, ending: 'whole' });
});

test.each([
  ['html', 200, /^<!doctype html>/],
  ['truncate', 200, undefined],
  ['empty', 204, /^$/],
])('`%s` spoils the answer to a removal, which has no body', async (fault, status, text) => {
  const body = { url: 'https://example.com', eventTypes: ['*'] };
  const call = { method: 'POST', path: '/webhook-endpoints', body };
  const { id } = (await sandbox().call<{ id: string }>(call)).body;
  await sandbox().control('faults', [{ fault, times: 1, retryAfter: 3 }]);
  const target = `${sandbox().url}/api/v1/webhook-endpoints/${id}`;
  const answer = await fetch(target, { method: 'DELETE', headers: authorized() });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '3']);
  if (text) expect(await answer.text()).toMatch(text);
  else await expect(answer.text()).rejects.toThrow('terminated');
  expect((await sandbox().call({ ...call, method: 'DELETE', path: `${call.path}/${id}` })).status).toBe(404);
});

test('a file breaks off in its middle', async () => {
  const { id, file } = await first<Document>(sandbox(), '/documents');
  await sandbox().control('faults', [{ fault: 'truncate', times: 1, path: '/documents/*/content' }]);
  const answer = await fetch(`${sandbox().url}/api/v1/documents/${id}/content`, { headers: authorized() });
  expect(answer.headers.get('content-length')).toBe(String(file?.sizeBytes));
  expect(await received(answer)).toEqual({
    bytes: Math.floor((file?.sizeBytes ?? 0) / 2),
    ending: 'TypeError: terminated',
  });
});

test('a refusal is spoiled too, and a write is done once', async () => {
  await sandbox().control('faults', [{ fault: 'empty', times: 1 }]);
  const refused = await fetch(`${sandbox().url}/api/v1/companies`);
  expect([refused.status, await refused.text()]).toEqual([401, '']);
  const body = { url: 'https://example.com', eventTypes: ['*'] };
  const call = { method: 'POST', path: '/webhook-endpoints', headers: { 'idempotency-key': 'one' }, body };
  await sandbox().control('faults', [{ fault: 'truncate', times: 1 }]);
  await expect(sandbox().call(call)).rejects.toThrow('terminated');
  expect((await sandbox().call(call)).headers.get('idempotent-replayed')).toBe('true');
});

test('a fault of a probability hits about as many requests', async () => {
  await sandbox().control('faults', [
    { fault: 'status', times: 5, status: 503, probability: 0 },
    { fault: 'status', times: 1000, probability: 0.3 },
  ]);
  const calls = Array.from(
    { length: 200 },
    async () => (await sandbox().call({ path: '/companies' })).status,
  );
  const statuses = await Promise.all(calls);
  expect(statuses).not.toContain(503);
  const hits = statuses.filter((status) => status === 500).length;
  expect(hits).toBeGreaterThan(25);
  expect(hits).toBeLessThan(100);
});
