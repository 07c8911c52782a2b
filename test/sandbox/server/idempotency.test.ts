import type { Company, Document, File } from '../../../sandbox/records';
import { first, readAll } from '../../support/sandbox/pages';
import { until } from '../../support/time/until';
import { useSandbox, type ApiCall, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

const upload = (bytes: string, key: string, more: Partial<ApiCall> = {}): ApiCall => ({
  method: 'POST',
  path: '/files',
  query: { filename: 'a.txt' },
  body: Buffer.from(bytes),
  ...more,
  headers: { 'content-type': 'text/plain', 'idempotency-key': key, ...more.headers },
});

const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');

async function update(body: object, key: string, more: Partial<ApiCall> = {}) {
  const { id } = await first<Company>(sandbox(), '/companies');
  const headers = { 'idempotency-key': key };
  return sandbox().call<Company & ApiErrorBody>({
    method: 'PATCH',
    path: `/companies/${id}`,
    body,
    headers,
    ...more,
  });
}

test('a repeat returns the first result and does nothing again', async () => {
  const one = await update({ address: 'Esimene 1', shortName: 'E' }, 'k');
  await update({ address: 'Teine 2' }, 'other');
  const repeat = await update({ shortName: 'E', address: 'Esimene 1' }, 'k');
  expect([replayed(one), replayed(repeat)]).toEqual([null, 'true']);
  expect(repeat.body).toEqual(one.body);
  expect((await first<Company>(sandbox(), '/companies')).address).toBe('Teine 2');
});

test('a repeat of an upload is told by its bytes', async () => {
  const one = await sandbox().call<File>(upload('abc', 'k'));
  const repeat = await sandbox().call<File>(upload('abc', 'k'));
  expect([repeat.status, replayed(repeat), repeat.body]).toEqual([201, 'true', one.body]);
  for (const call of [
    upload('abd', 'k'),
    upload('abc', 'k', { query: { filename: 'b.txt' } }),
    upload('abc', 'k', { headers: { 'content-type': 'text/csv' } }),
  ]) {
    const { status, body } = await sandbox().call(call);
    expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  }
  expect((await sandbox().call({ path: `/files/${one.body.id}/content` })).bytes.toString()).toBe('abc');
});

test('keys of one caller are nothing to another', async () => {
  const one = await sandbox().call<File>(upload('abc', 'k'));
  const other = await sandbox().call<File>(upload('xyz', 'k', { key: sandbox().keys.other }));
  expect([other.status, replayed(other), other.body.id === one.body.id]).toEqual([201, null, false]);
});

test('a failed request may be repeated with the same key', async () => {
  expect((await update({ vatFrom: 'x' }, 'k')).status).toBe(422);
  expect((await update({ address: 'x' }, 'k', { path: '/companies/nobody' })).status).toBe(404);
  const good = await update({ address: 'x' }, 'k');
  expect([good.status, replayed(good)]).toEqual([200, null]);
});

test('a key is valid for 24 hours', async () => {
  await update({ address: 'x' }, 'k');
  await sandbox().control('clock', { advanceSeconds: 24 * 3600 - 60 });
  expect(replayed(await update({ address: 'x' }, 'k'))).toBe('true');
  await sandbox().control('clock', { advanceSeconds: 61 });
  const late = await update({ address: 'y' }, 'k');
  expect([late.status, replayed(late)]).toEqual([200, null]);
});

test.each([
  [{ body: { address: 'x' } }, 200],
  [{ body: { address: 'x' }, headers: { 'idempotency-key': 'x'.repeat(200) } }, 200],
  [{ body: { address: 'x' }, headers: { 'idempotency-key': 'x'.repeat(201) } }, 400],
  [{ body: { address: 'x' }, headers: { 'idempotency-key': '' } }, 400],
])('a key has 1 to 200 characters', async (more, status) => {
  expect((await update({}, 'k', more)).status).toBe(status);
});

/** Begins a call that is held back, and resolves when the sandbox has it. */
async function held<T>(call: Promise<T>): Promise<{ answer: Promise<T> }> {
  await until('the call', async () => (await sandbox().requests()).some(({ status }) => status === null));
  return { answer: call };
}

const delay = (method: string, delayMs: number, times = 1) =>
  sandbox().control('faults', [{ fault: 'delay', method, delayMs, times }]);

const parts = (bytes: string) =>
  fetch(`${sandbox().url}/api/v1/files?filename=a.txt`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox().keys.full}`,
      'content-type': 'text/plain',
      'idempotency-key': 'k',
    },
    body: new Blob([bytes]).stream(),
    duplex: 'half',
  });

describe('while a request runs', () => {
  test.each([
    ['another body', { body: { address: 'y' } }],
    ['another parameter', { query: { dryRun: true } }],
    ['another company', { path: '/companies/nobody' }],
    ['another operation', { path: '/companies/nobody/settings', body: {} }],
    ['bytes', upload('x', 'k')],
  ])('and afterwards its key is refused with %s', async (_what, more) => {
    await delay('PATCH', 1000);
    const { answer } = await held(update({ address: 'x' }, 'k'));
    const meanwhile = await update({ address: 'x' }, 'k', more);
    expect((await answer).status).toBe(200);
    for (const { status, body } of [meanwhile, await update({ address: 'x' }, 'k', more)]) {
      expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
  });

  test('the key of an upload is refused with what cannot be the same file', async () => {
    await delay('POST', 1000);
    const { answer } = await held(sandbox().call<File>(upload('abc', 'k')));
    for (const call of [
      upload('abcd', 'k'),
      upload('abc', 'k', { query: { filename: 'b.txt' } }),
      upload('abc', 'k', { headers: { 'content-type': 'text/csv' } }),
      { method: 'PATCH', path: '/companies/nobody', body: {}, headers: { 'idempotency-key': 'k' } },
    ]) {
      const { status, body } = await sandbox().call(call);
      expect([status, body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    // Of a length that is not announced, and of other bytes of the same length, nothing is known yet.
    expect([(await parts('abc')).status, (await sandbox().call(upload('abd', 'k'))).status]).toEqual([
      409, 409,
    ]);
    expect((await answer).status).toBe(201);
    expect((await parts('abc')).headers.get('idempotent-replayed')).toBe('true');
  });
});

test.each([
  ['a change', 'PATCH', () => update({ address: 'x' }, 'k')],
  ['an upload', 'POST', () => sandbox().call<File>(upload('abc', 'k'))],
])('any number of repeats of %s that is done are answered at once', async (_what, method, send) => {
  const done = await send();
  await delay(method, 300, 3);
  const repeats = await Promise.all([send(), send(), send()]);
  expect(repeats.map((repeat) => [repeat.status, replayed(repeat), repeat.body])).toEqual(
    [1, 2, 3].map(() => [done.status, 'true', done.body]),
  );
});

test('of repeats whose success expires meanwhile one runs', async () => {
  const post = () =>
    sandbox()
      .call<File>(upload('abc', 'k'))
      .then((answer) => [replayed(answer), answer.body.id]);
  const [, id] = await post();
  await sandbox().control('clock', { advanceSeconds: 24 * 3600 - 60 });
  await delay('POST', 600, 2);
  const { answer } = await held(Promise.all([post(), post()]));
  await sandbox().control('clock', { advanceSeconds: 61 });
  const [one, other] = (await answer).sort();
  expect([one?.[0], other?.[0]]).toEqual([null, 'true']);
  expect(one?.[1]).toBe(other?.[1]);
  expect(one?.[1]).not.toBe(id);
});

test('of two copies at once one runs, and the other is told so', async () => {
  await sandbox().control('faults', [{ fault: 'delay', delayMs: 1500, times: 1, path: '/files' }]);
  const answers = await Promise.all(
    [1, 2].map(() => sandbox().call<File & ApiErrorBody>(upload('abc', 'k'))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const told = answers.find(({ status }) => status === 409);
  expect(told?.body.error.code).toBe('IDEMPOTENCY_KEY_IN_USE');
  expect(replayed(await sandbox().call(upload('abc', 'k')))).toBe('true');
});

test('work whose answer was lost is done once', async () => {
  const { id: companyId } = await first<Company>(sandbox(), '/companies');
  const file = await sandbox().call<File>(upload('abc', 'f'));
  await sandbox().control('faults', [{ fault: 'reset-after', times: 1, method: 'POST', path: '/documents' }]);
  const call = {
    method: 'POST',
    path: '/documents',
    body: { fileId: file.body.id, companyId },
    headers: { 'idempotency-key': 'd' },
  };
  await expect(sandbox().call(call)).rejects.toThrow('fetch failed');
  const repeat = await sandbox().call<Document>(call);
  expect([repeat.status, replayed(repeat)]).toEqual([201, 'true']);
  const filed = await readAll<Document>(sandbox(), '/documents', { companyId });
  expect(filed.filter(({ file: one }) => one?.sha256 === file.body.sha256)).toEqual([repeat.body]);
});
