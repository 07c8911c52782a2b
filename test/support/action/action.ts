import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import type { LoggedRequest } from '../../../sandbox/control/request-log';
import { type NodeResult, type NodeRun, runNode } from '../engine';
import type { TestSandbox } from '../sandbox/sandbox';

/** Runs an operation of the action node against a sandbox, with its key for everything. */
export async function runAction(
  sandbox: TestSandbox,
  parameters: INodeParameters,
  changes: Partial<NodeRun> = {},
): Promise<NodeResult> {
  const credential = { address: sandbox.url, token: sandbox.keys.full };
  return await runNode({ type: new AccountingAgency(), parameters, credential, ...changes });
}

/** What the items of the first output hold. */
export function jsonOf({ outputs, error }: NodeResult): unknown[] {
  if (error !== undefined) throw error;
  return (outputs[0] ?? []).map(({ json }) => json);
}

/** The length and hash that the sandbox's log has of a request with this JSON body. */
export function loggedBody(body: unknown): Pick<LoggedRequest, 'bodyLength' | 'bodySha256'> {
  const bytes = Buffer.from(JSON.stringify(body));
  return { bodyLength: bytes.length, bodySha256: createHash('sha256').update(bytes).digest('hex') };
}

/** The request that arrived last, of those with a method if one is given. */
export async function lastRequest(sandbox: TestSandbox, method?: string): Promise<LoggedRequest | undefined> {
  return (await sandbox.requests()).filter((one) => method === undefined || one.method === method).at(-1);
}
