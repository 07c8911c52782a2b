import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createCredential } from '../../../../tools/n8n/credentials';
import { waitFor } from '../../../../tools/n8n/processes/process';
import { activate, deactivate } from '../../../../tools/n8n/workflows';
import { importExample, type Trial } from './desk';

const TOKEN = 'a-token-of-the-end-to-end-tests';
const TOOLS = ['documents', 'find_companies', 'get_company', 'month_end_work'];

/** An MCP client with a bearer token. */
async function connect(address: string, token: string): Promise<Client> {
  const client = new Client({ name: 'end-to-end-tests', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

/** Calls a tool and gives the text that a model gets to read. */
async function call(client: Client, name: string, args: Record<string, string>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  assert.ok(Array.isArray(content), 'a tool answers with a list of contents');
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

/** `ai-agent-tools.json`. */
export const agentTools: Trial = async (desk, check, undo) => {
  const { agency, session } = desk.stage;
  const { id, name, type } = await createCredential(session, {
    name: 'Bearer Auth account',
    type: 'httpBearerAuth',
    data: { token: TOKEN },
  });
  const workflow = await importExample(desk, 'ai-agent-tools.json', {
    change: { 'Tools for the agent': { credentials: { [type]: { id, name } } } },
  });
  const address = `${session.url}/mcp/accounting-agency`;
  const client = await check('ai-agent-tools: an MCP client connects with the token', async () => {
    const { active, messages } = await activate(session, workflow);
    assert.ok(active, messages.join(' '));
    return waitFor('n8n to serve the tools', () => connect(address, TOKEN), { seconds: 120 });
  });
  if (!client) return;
  undo.push(() => client.close());
  await check('ai-agent-tools: another token is refused', () =>
    assert.rejects(
      connect(address, 'another'),
      (error) => error instanceof StreamableHTTPError && error.code === 403,
    ),
  );
  await check('ai-agent-tools: the tools are listed with what a model has to fill in', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), TOOLS);
    const work = tools.find((tool) => tool.name === 'month_end_work');
    assert.deepEqual(Object.keys(work?.inputSchema.properties ?? {}).sort(), ['companyId', 'month']);
    for (const { description } of tools) assert.ok(description && description.length > 30, description);
  });
  const company = desk.companies[4] ?? { id: '', name: '' };
  await check('ai-agent-tools: a company is found by its name, and its month-end work read', async () => {
    assert.match(await call(client, 'find_companies', { search: company.name }), new RegExp(company.id));
    const work = await call(client, 'month_end_work', { companyId: company.id, month: agency.period });
    assert.match(work, new RegExp(`"companyId":\\s*"${company.id}"`));
    assert.match(work, /obligations/);
  });
  await check('ai-agent-tools: a tool that fails gives a reason that a model can act on', async () => {
    const unknown = await call(client, 'get_company', { companyId: 'no-such-company' });
    assert.match(unknown, /Company "no-such-company" not found.*Check the ID/s);
    const month = await call(client, 'month_end_work', { companyId: company.id, month: 'November' });
    assert.match(month, /Period.*YYYY-MM/s);
  });
  await deactivate(session, workflow);
};
