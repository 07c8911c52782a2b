import { Agent } from 'node:http';
import { type Api, apiOf } from '../../../support/sandbox/api';
import { until } from '../../../support/time/until';
import { type SandboxProcess, startProcess } from '../../../support/sandbox/sandbox-process';
import { broken, type Entry, type Ledger, repeat, write } from './ledger';
import { documentsFrom } from './load';

const WRITERS = 8;

interface Writer {
  api: Api;
  key: string;
  ledger: Ledger;
  name: string;
  company: string;
  /** Tasks that wait for a result; each writer takes from the front. */
  tasks: string[];
}

/** Writes on and on, one writer's way through a month's work, until the agency is gone. */
async function run({ api, key, ledger, name, company, tasks }: Writer) {
  const headers = (step: string) => ({ 'idempotency-key': `${name}:${step}` });
  for (let turn = 0; ; turn += 1) {
    const content = `${name} ${turn}\n`;
    const path = `/files?filename=${name}-${turn}.txt`;
    const upload = {
      method: 'POST',
      path,
      key,
      bytes: Buffer.from(content),
      headers: headers(`file-${turn}`),
    };
    const file = await broken(api(upload));
    if (file === undefined) return;
    const post = (where: string, body: unknown, step: string) => ({
      method: 'POST',
      path: where,
      key,
      body,
      headers: headers(`${step}-${turn}`),
    });
    const filing = { fileId: file.body.id, companyId: company };
    const endpoint = { url: 'https://127.0.0.1:1/hook', eventTypes: ['task.completed'] };
    const change = post(`/companies/${company}`, { address: `${name} ${turn}` }, 'address');
    const entries: Entry[] = [
      { kind: 'document', call: post('/documents', filing, 'document'), content },
      { kind: 'address', call: { ...change, method: 'PATCH' } },
      { kind: 'endpoint', call: post('/webhook-endpoints', endpoint, 'endpoint') },
    ];
    const task = tasks.shift();
    if (task !== undefined) {
      entries.push({ kind: 'task', call: post(`/tasks/${task}/result`, { status: 'ok', turn }, 'task') });
    }
    await Promise.all(entries.map((entry) => write(api, ledger, entry)));
  }
}

/** What the agency knows after a restart, against what it acknowledged before. */
async function compare(api: Api, key: string, ledger: Ledger) {
  for (const { kind, acknowledged, content } of ledger.entries) {
    if (acknowledged === undefined || (kind !== 'document' && kind !== 'endpoint')) continue;
    const id = String(acknowledged.id);
    const path = kind === 'document' ? `/documents/${id}/content` : `/webhook-endpoints/${id}/deliveries`;
    const { status, text } = await api({ method: 'GET', path, key });
    if (status !== 200) ledger.unexpected.push(`GET ${path}: ${status}`);
    else if (kind === 'document' && text !== content) ledger.unexpected.push(`GET ${path}: other bytes`);
  }
  for (const [path, possible] of possibleAddresses(ledger)) {
    const { body } = await api({ method: 'GET', path, key });
    if (!possible.includes(String(body.address))) {
      ledger.unexpected.push(
        `${path} has the address ${String(body.address)}, none of ${possible.join(', ')}`,
      );
    }
  }
}

/** By the path of a company: the last acknowledged address, and those sent after it. Before the first one it has its own. */
function possibleAddresses({ entries }: Ledger): Map<string, string[]> {
  const possible = new Map<string, string[]>();
  for (const { kind, call, acknowledged } of entries) {
    if (kind !== 'address' || (acknowledged === undefined && !possible.has(call.path))) continue;
    const address = String(Object(call.body).address);
    const before = acknowledged === undefined ? (possible.get(call.path) ?? []) : [];
    possible.set(call.path, [...before, address]);
  }
  return possible;
}

const acknowledgedIn = ({ entries }: Ledger) =>
  entries.filter(({ acknowledged }) => acknowledged !== undefined).length;

/** What was written in all rounds, and what was there after the last. */
export interface KillResult {
  rounds: number;
  acknowledged: number;
  unexpected: string[];
  /** Documents that were sent, and those that are more than at the start. */
  sent: number;
  found: number;
}

/**
 * Kills the agency in the middle of its work, again and again, on the same data.
 *
 * @param writes how many writes of a round are acknowledged before the kill
 */
export async function killRounds(data: string, rounds: number, writes: () => number): Promise<KillResult> {
  const ledger: Ledger = { entries: [], unexpected: [] };
  const args = ['--data', data, '--documents', '50', '--rate-limit', 'off'];
  let sandbox = await startProcess(args);
  const tasks = [...sandbox.tasks];
  try {
    const before = (await documentsFrom(sandbox, 'api')).length;
    for (let round = 0; round < rounds; round += 1) {
      const agent = new Agent({ keepAlive: true });
      const api = apiOf(sandbox.url, agent);
      const key = sandbox.keys.full;
      const companies = await companyIds(api, key);
      const writers = companies.map((company, index) =>
        run({ api, key, ledger, name: `r${round}w${index}`, company, tasks }),
      );
      const enough = acknowledgedIn(ledger) + writes();
      await until(`${enough} acknowledged writes`, () => acknowledgedIn(ledger) >= enough, 60_000);
      await sandbox.end('SIGKILL');
      await Promise.all(writers);
      agent.destroy();

      sandbox = await startProcess(args);
      await check(sandbox, ledger);
    }
    const sent = ledger.entries.filter(({ kind }) => kind === 'document').length;
    const found = (await documentsFrom(sandbox, 'api')).length - before;
    return { rounds, acknowledged: acknowledgedIn(ledger), unexpected: ledger.unexpected, sent, found };
  } finally {
    await sandbox.end('SIGTERM');
  }
}

/** Compares, then sends everything again with its key: what was done is not done again, what was not is done now. */
async function check(sandbox: SandboxProcess, ledger: Ledger) {
  const agent = new Agent({ keepAlive: true });
  const api = apiOf(sandbox.url, agent);
  try {
    await compare(api, sandbox.keys.full, ledger);
    for (const entry of ledger.entries) await repeat(api, ledger, entry);
  } finally {
    agent.destroy();
  }
}

async function companyIds(api: Api, key: string): Promise<string[]> {
  const { body } = await api({ method: 'GET', path: `/companies?limit=${WRITERS}`, key });
  const page: Array<{ id: string }> = Array.isArray(body.data) ? body.data : [];
  return page.map(({ id }) => id);
}
