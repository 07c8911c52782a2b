import type { Company, CompanySettings } from '../../../sandbox/records';
import { first } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

/** Asks for a guarded change. */
async function ask() {
  const company = await first<Company>(sandbox(), '/companies');
  const path = `/companies/${company.id}/settings`;
  const { body } = await sandbox().call<CompanySettings>({ path });
  const change = { agent: { mcpEnabled: !body.agent.mcpEnabled } };
  const call = { method: 'PATCH', path, body: change };
  const asked = await sandbox().call(call);
  const { approvalId = '', approvalUrl = '' } = asked.body.error.details ?? {};
  const repeat = () => sandbox().call<CompanySettings>({ ...call, headers: { 'approval-id': approvalId } });
  return { approvalUrl, repeat };
}

const decide = (url: string, decision: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });

test('the page of an approval shows the change before and after, by the names of the node and of the API', async () => {
  const { approvalUrl } = await ask();
  const response = await fetch(approvalUrl);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await response.text();
  expect(page).toContain('MCP Access <code>agent.mcpEnabled</code>');
  for (const [, path = ''] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
    const style = await fetch(new URL(path, approvalUrl));
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  }
  const overview = await (await fetch(sandbox().adminUrl)).text();
  expect(overview).toContain(new URL(approvalUrl).pathname);
  expect(overview).not.toContain('<script');
});

test('the overview shows every key of this agency that a sandbox has, and no key that was made on request', async () => {
  const key = await sandbox().newKey(['work:read']);
  const page = await (await fetch(sandbox().adminUrl)).text();
  const { foreign, ...own } = sandbox().keys;
  for (const key of Object.values(own)) expect(page).toContain(`>${key}</code>`);
  expect(page).not.toContain(foreign);
  expect(page).not.toContain(key);
});

test('its button approves, and the change can be made', async () => {
  const { approvalUrl, repeat } = await ask();
  expect((await repeat()).status).toBe(403);
  const response = await decide(approvalUrl, 'approved');
  expect([response.status, response.headers.get('location')]).toEqual([303, new URL(approvalUrl).pathname]);
  expect((await repeat()).status).toBe(200);
  expect(await (await fetch(approvalUrl)).text()).not.toContain('<form');
});

test.each([
  ['maybe', 400],
  ['', 400],
])('another decision ("%s") is a page that says so', async (decision, status) => {
  const { approvalUrl } = await ask();
  const response = await decide(approvalUrl, decision);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    'text/html; charset=utf-8',
  ]);
});

test('what is decided, or not there, is a page that says so', async () => {
  const { approvalUrl } = await ask();
  await decide(approvalUrl, 'rejected');
  expect((await decide(approvalUrl, 'approved')).status).toBe(409);
  const missing = await fetch(`${sandbox().adminUrl}/approvals/none`);
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});
