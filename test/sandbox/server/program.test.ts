import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../../sandbox';
import type { Company, Document, File, WebhookDelivery } from '../../../sandbox/records';
import { first } from '../../support/sandbox/pages';
import { startReceiver } from '../../support/proxies/receiver';
import { startProcess, testSandbox } from '../../support/sandbox/sandbox';
import { until } from '../../support/time/until';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program to its end. */
const run = (args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts', ...args], {
    cwd: join(__dirname, '../../..'),
    encoding: 'utf8',
  });

test('it prints one line of JSON, and SIGTERM ends it cleanly', async () => {
  const running = await startProcess(['--documents', '20']);
  expect(running).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    adminUrl: `${running.url}/admin`,
    token: expect.stringMatching(/^\S+\.\S+\.\S+$/),
    period: expect.stringMatching(/^\d{4}-\d{2}$/),
  });
  expect(running.tasks.length).toBeGreaterThan(0);
  await running.close();
  expect(running.process.ended()).toBe('it ended with exit code 0');
});

test('a taken port is one clear line', async () => {
  const running = await startSandbox({ documents: 20 });
  try {
    const { port } = new URL(running.url);
    expect(run(['--port', port, '--documents', '20'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `Port ${port} is in use. Choose another one with --port, or any free one with --port 0.\n`,
    });
  } finally {
    await running.close();
  }
});

test('a start in vain leaves the data as they are, and a start a folder beside them', async () => {
  const data = join(folder, 'agency.db');
  mkdirSync(`${data}.files/folder`, { recursive: true });
  writeFileSync(`${data}.files/upload`, 'under way');
  const running = await startSandbox({ documents: 20 });
  try {
    expect(run(['--port', new URL(running.url).port, '--data', data]).status).toBe(1);
    expect(readFileSync(`${data}.files/upload`, 'utf8')).toBe('under way');
    await (await startSandbox({ documents: 20, data })).close();
    expect(readdirSync(`${data}.files`)).toEqual(['folder']);
  } finally {
    await running.close();
  }
});

test('a sandbox that listens on loopback alone does not warn', async () => {
  const running = await startProcess(['--documents', '20', '--host', '127.0.0.2']);
  try {
    expect(running.process.output()).not.toContain('Warning');
  } finally {
    await running.close();
  }
});

test('a sandbox that others can reach warns, and still gives a loopback address', async () => {
  const running = await startProcess(['--documents', '20', '--host', '0.0.0.0']);
  try {
    expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(running.process.output()).toMatch(/^Warning: with --host 0\.0\.0\.0, other machines/m);
    expect((await fetch(running.adminUrl)).status).toBe(200);
  } finally {
    await running.close();
  }
});

test.each([
  [['--port', 'x'], '--port takes a whole number, not "x".'],
  [['--port', '99999'], '--port takes a number up to 65535.'],
  [['--data='], '--data takes the path of a file.'],
  [['--host='], '--host takes an address to listen on.'],
  [['--rate-limit', '0'], '--rate-limit takes 1 or more, or "off".'],
  [['--rate-limit', 'no'], '--rate-limit takes 1 or more, or "off".'],
])('an option that is wrong is named: %j', (args, line) => {
  const { status, stderr } = run(args);
  expect([status, stderr.split('\n')[0]]).toEqual([1, line]);
});

test('with a data file everything survives a restart', async () => {
  const receiver = await startReceiver();
  receiver.answer((_call, response) => response.writeHead(500).end());
  const options = { data: join(folder, 'agency.sqlite'), documents: 20 };
  let agency = testSandbox(await startSandbox(options));
  try {
    const company = await first<Company>(agency, '/companies');
    const { id } = (
      await agency.call<{ id: string }>({
        method: 'POST',
        path: '/webhook-endpoints',
        body: { url: receiver.url, eventTypes: ['document.received'] },
      })
    ).body;
    const upload = {
      method: 'POST',
      path: '/files',
      query: { filename: 'a.txt' },
      body: Buffer.from('sisu'),
      headers: { 'idempotency-key': 'k', 'content-type': 'text/plain' },
    };
    const file = (await agency.call<File>(upload)).body;
    const body = { fileId: file.id, companyId: company.id };
    const document = (await agency.call<Document>({ method: 'POST', path: '/documents', body })).body;
    const deliveries = async () =>
      (await agency.call<{ data: WebhookDelivery[] }>({ path: `/webhook-endpoints/${id}/deliveries` })).body
        .data;
    await until('the first attempt', async () => (await deliveries())[0]?.attempts === 1);
    await agency.control('clock', { advanceSeconds: 30 });
    const { nextCursor } = (await agency.call<{ nextCursor: string }>({ path: '/companies' })).body;
    await agency.close();

    receiver.answer((_call, response) => response.writeHead(200).end());
    agency = testSandbox(await startSandbox(options));
    expect((await agency.call<Document>({ path: `/documents/${document.id}` })).body).toEqual(document);
    const content = await agency.call<undefined>({ path: `/documents/${document.id}/content` });
    expect(content.bytes.toString()).toBe('sisu');
    expect((await agency.call(upload)).headers.get('idempotent-replayed')).toBe('true');
    expect((await agency.call({ path: '/companies', query: { cursor: nextCursor } })).status).toBe(200);
    expect((await deliveries())[0]).toMatchObject({ status: 'pending', attempts: 1 });
    await agency.control('clock', { advanceSeconds: 31 });
    expect((await deliveries())[0]).toMatchObject({ status: 'succeeded', attempts: 2 });
    const calls = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(calls).size).toBe(1);
    await agency.control('reset');
    expect((await agency.call({ path: `/documents/${document.id}` })).status).toBe(404);
  } finally {
    await agency.close();
    await receiver.close();
  }
});

test('a test call that was under way when it stopped is not sent again', async () => {
  const receiver = await startReceiver();
  receiver.answer(() => undefined);
  const options = { data: join(folder, 'agency.sqlite'), documents: 20 };
  let agency = testSandbox(await startSandbox(options));
  try {
    const body = { url: receiver.url, eventTypes: ['*'] };
    const endpoint = { method: 'POST', path: '/webhook-endpoints', body };
    const { id } = (await agency.call<{ id: string }>(endpoint)).body;
    const path = `/webhook-endpoints/${id}`;
    const broken = expect(agency.call({ method: 'POST', path: `${path}/test` })).rejects.toThrow(
      'fetch failed',
    );
    await until('the call', () => receiver.received.length > 0);
    await agency.close();
    await broken;

    agency = testSandbox(await startSandbox(options));
    await agency.control('clock', { advanceSeconds: 200_000 });
    const { data } = (await agency.call<{ data: WebhookDelivery[] }>({ path: `${path}/deliveries` })).body;
    expect(data).toMatchObject([{ eventType: 'webhook.test', status: 'failed' }]);
    expect(receiver.received).toHaveLength(1);
  } finally {
    await agency.close();
    await receiver.close();
  }
});

test('latency holds every answer back', async () => {
  const agency = testSandbox(await startSandbox({ documents: 20, latencyMs: 150 }));
  try {
    const started = performance.now();
    await agency.call({ path: '/companies' });
    expect(performance.now() - started).toBeGreaterThan(140);
  } finally {
    await agency.close();
  }
});
