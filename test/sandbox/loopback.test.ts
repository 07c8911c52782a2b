import { Agent } from 'node:http';
import { useSandbox } from '../support/sandbox';
import { send } from '../support/send';

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
