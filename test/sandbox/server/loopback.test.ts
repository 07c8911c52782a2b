import { Agent } from 'node:http';
import { checkLoopback } from '../../../sandbox/server/loopback';
import { useSandbox } from '../../support/sandbox/sandbox';
import { send } from '../../support/sandbox/send';

const sandbox = useSandbox({ documents: 10 });
const agent = new Agent();

afterAll(() => agent.destroy());

const ask = async (method: string, target: string, headers: Record<string, string>) => {
  const form = Buffer.from('decision=approved');
  const body = method === 'POST' ? form : null;
  const type: Record<string, string> = body ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const answer = await send(sandbox().url, agent, { method, target, headers: { ...type, ...headers }, body });
  return { status: answer.status, text: answer.body.toString() };
};

test.each([
  ['the page under another name, as after DNS rebinding', 'GET', '/admin', { host: 'evil.example' }],
  ['a control route under another name', 'GET', '/_sandbox/requests', { host: 'evil.example:4010' }],
  ['a form that another site sends', 'POST', '/admin/approvals/apr_1', { origin: 'https://evil.example' }],
  ['a form of a page without an origin', 'POST', '/admin/approvals/apr_1', { origin: 'null' }],
])('%s is forbidden', async (_what, method, target, headers) => {
  const { status, text } = await ask(method, target, headers);
  expect(status).toBe(403);
  expect(text).toContain('open only to the machine that the sandbox runs on');
  expect(text).not.toContain(sandbox().keys.full);
});

test('a control route answers who is not of this machine with the code FORBIDDEN', async () => {
  const { text } = await ask('GET', '/_sandbox/requests', { host: 'evil.example' });
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'FORBIDDEN' } });
});

test.each(['localhost', '127.0.0.1', '[::1]'])('%s is this machine', async (name) => {
  const host = `${name}:${new URL(sandbox().url).port}`;
  expect((await ask('GET', '/admin', { host })).status).toBe(200);
  expect((await ask('GET', '/admin', { host, origin: `http://${host}` })).status).toBe(200);
});

describe('a connection', () => {
  const call = (host: string, remoteAddress: string, localAddress = '127.0.0.1') =>
    checkLoopback({ headers: { host: `${host}:4010` }, socket: { remoteAddress, localAddress } });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('from %s is of this machine', async (from) => {
    await expect(call('127.0.0.1', from)).resolves.toBeUndefined();
  });

  test('of the machine to an address of its own is of this machine', async () => {
    await expect(call('192.0.2.1', '192.0.2.1', '192.0.2.1')).resolves.toBeUndefined();
  });

  test.each(['192.0.2.7', '::ffff:192.0.2.7'])('from %s is not, whatever name it calls', async (from) => {
    await expect(call('127.0.0.1', from, '192.0.2.1')).rejects.toThrow('open only to the machine');
    await expect(call('192.0.2.1', from, '192.0.2.1')).rejects.toThrow('open only to the machine');
  });
});
