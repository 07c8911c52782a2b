import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { askAgency } from '../../../../../tools/n8n/agency';
import { createCredential } from '../../../../../tools/n8n/credentials';
import { waitFor } from '../../../../../tools/n8n/processes/process';
import { deactivate } from '../../../../../tools/n8n/workflows';
import { askForAll, control, documentArrives } from '../../../support/agency';
import { type Office, QUESTIONS, type Row } from './agent-questions';
import { type Desk, importExample, publish, type Trial } from '../desk';

const TOKEN = 'a-token-of-the-end-to-end-tests';

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
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  assert.ok(Array.isArray(content), 'a tool answers with a list of contents');
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

/** Calls a tool and gives the records of its answer. */
async function records(client: Client, name: string, args: Record<string, unknown>): Promise<Row[]> {
  const text = await call(client, name, args);
  return JSON.parse(text) as Row[];
}

/** A company that is behind with a month, with a document that arrives and cannot be read. */
async function office({ stage: { agency } }: Desk): Promise<Office> {
  const month = agency.period;
  const [entry] = await askForAll<{ companyId: string }>(
    agency,
    `/company-periods?period=${month}&status=overdue`,
  );
  const companyId = entry?.companyId ?? '';
  const company = await askAgency<{ id: string; name: string; registrationCode: string | null }>(
    agency,
    `/companies/${companyId}`,
  );
  const { now: since } = await control<{ now: string }>(agency, 'clock', { advanceSeconds: 60 });
  const name = 'photo-of-a-receipt.png';
  const document = await documentArrives(agency, companyId, name, 'this is no picture');
  return {
    company: { id: company.id, name: company.name, code: company.registrationCode ?? '' },
    month,
    unreadable: { id: document, name },
    since,
  };
}

/** `ai-agent-tools.json`. */
export const agentTools: Trial = async (desk, check, undo) => {
  const { session } = desk.stage;
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
    await publish(desk, workflow);
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
    assert.deepEqual(
      tools.map(({ name: tool }) => tool).sort(),
      [...new Set(QUESTIONS.map(({ tool }) => tool))].sort(),
    );
    const work = tools.find((tool) => tool.name === 'month_end_work');
    assert.deepEqual(Object.keys(work?.inputSchema.properties ?? {}).sort(), ['companyId', 'month']);
    for (const { description } of tools) assert.ok(description && description.length > 30, description);
  });
  const about = await office(desk);
  for (const { asks, tool, args, look } of QUESTIONS) {
    await check(`ai-agent-tools: ${asks}`, async () => look(await records(client, tool, args(about)), about));
  }
  await check('ai-agent-tools: a tool that fails gives a reason that a model can act on', async () => {
    const unknown = await call(client, 'get_company', { companyId: 'no-such-company' });
    assert.match(unknown, /Company "no-such-company" not found.*Check the ID/s);
    const month = await call(client, 'month_end_work', { companyId: about.company.id, month: 'November' });
    assert.match(month, /Period.*YYYY-MM/s);
  });
  await deactivate(session, workflow);
};
