import type { INodeType, INodeTypes } from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import { AccountingAgencyApi } from '../../credentials/AccountingAgencyApi.credentials';
import type { AgencyCredential } from './credentials';
import { additionalData, loadEngine } from './engine';

const TYPE = 'accountingAgencyApi';

/** What n8n says after "Test" was pressed in the credential. */
export interface Verdict {
  status: 'OK' | 'Error';
  message: string;
}

/**
 * Tests a credential as n8n 2.x does: the credential's request, made by n8n's own declarative engine, and then its rules
 * over the body. (n8n keeps the code around it in its server, which does not run in process.)
 */
export async function testCredential(data: AgencyCredential): Promise<Verdict> {
  const { ExecuteContext, RoutingNode } = await loadEngine();
  const { request, rules = [] } = new AccountingAgencyApi().test;
  const type: INodeType = {
    description: {
      displayName: 'Test',
      name: 'test',
      group: [],
      version: 1,
      description: 'Makes the request of a credential test',
      defaults: {},
      inputs: [],
      outputs: [],
      credentials: [{ name: TYPE, required: true }],
      properties: [{ displayName: 'Test', name: 'test', type: 'string', routing: { request }, default: '' }],
    },
  };
  const node = {
    id: 'node-1',
    name: 'Test',
    type: 'test',
    typeVersion: 1,
    position: [0, 0] as [number, number],
    parameters: {},
    credentials: { [TYPE]: { id: 'credential-1', name: 'Agency' } },
  };
  const nodeTypes: INodeTypes = {
    getByName: () => type,
    getByNameAndVersion: () => type,
    getKnownTypes: () => ({}),
  };
  const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
  const input = [[{ json: {} }]];
  const context = new ExecuteContext(
    workflow,
    node,
    await additionalData(data, 'internal'),
    'internal',
    createEmptyRunExecutionData(),
    0,
    [],
    { main: input },
    { node, data: {}, source: null },
    [],
  );
  const routing = new RoutingNode(context, type, { id: 'credential-1', name: 'Agency', type: TYPE, data });
  const outcome = await routing.runNode().catch((thrown: unknown) => ({ thrown }));
  if (outcome === undefined || outcome === null) throw new Error('The request of the test gave nothing.');
  if ('thrown' in outcome) return { status: 'Error', message: messageOf(outcome.thrown) };
  const [item] = outcome[0] ?? [];
  // n8n fails over an empty list, which is no item.
  if (item === undefined) return { status: 'Error', message: 'An empty list is no item.' };
  const body: unknown = item.json;
  for (const rule of rules) {
    if (!('key' in rule.properties)) continue;
    const { key, value, message } = rule.properties;
    if (at(body, key) === value) return { status: 'Error', message };
  }
  return { status: 'OK', message: 'Connection successful!' };
}

/** n8n shows the status text of an answer, or the code of a broken connection, or the message. */
function messageOf(thrown: unknown): string {
  const cause = at(thrown, 'cause');
  const said = at(cause, 'response.statusText') ?? at(cause, 'code') ?? at(thrown, 'message');
  return String(said);
}

/** What a path with dots leads to, as lodash's `get` reads it. */
function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (inner === undefined || inner === null ? undefined : Object(inner)[key]),
      value,
    );
}
