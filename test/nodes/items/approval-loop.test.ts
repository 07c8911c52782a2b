import { parse, stringify } from 'flatted';
import type { INode, INodeType, IRun } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { useGuardedChange } from '../../support/action/approval';
import { additionalData, loadEngine, nodeTypes } from '../../support/engine';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });
const { change, isChanged, decide } = useGuardedChange(sandbox);

/** Passes its items on: at once, or after a pause in which n8n puts the execution away, as its Wait node does. */
function passing(name: string, waits: boolean): INodeType {
  return {
    description: {
      displayName: name,
      name,
      group: ['transform'],
      version: 1,
      description: 'Passes items on',
      defaults: { name },
      inputs: name === 'start' ? [] : ['main'],
      outputs: ['main'],
      properties: [],
    },
    async execute() {
      if (waits) await this.putExecutionToWait(new Date(Date.now() + 60_000));
      return [name === 'start' ? [{ json: {} }] : this.getInputData()];
    },
  };
}

/**
 * Start, the agency, and from its second output a message, and a pause that leads back to it.
 *
 * @param messageAt where the message is on the canvas; the pause is at 100, and more is lower
 */
function loop(messageAt: number): Workflow {
  const agency = new AccountingAgency();
  const heights: Record<string, number> = { pause: 100, message: messageAt };
  const parameters = change({
    whenApprovalNeeded: 'branch',
    options: { approvalId: '={{ $json.approvalId }}' },
  });
  const node = (name: string, type = name): INode => ({
    id: name,
    name,
    type,
    typeVersion: 1,
    position: [0, heights[name] ?? 0],
    parameters: name === 'agency' ? parameters : {},
    credentials: { accountingAgencyApi: { id: 'credential-1', name: 'Agency' } },
  });
  const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
  return new Workflow({
    id: 'workflow-1',
    name: 'Loop',
    active: false,
    nodes: ['start', 'agency', 'message', 'pause', 'done'].map((name) => node(name)),
    connections: {
      start: { main: [to('agency')] },
      agency: { main: [to('done'), [...to('pause'), ...to('message')]] },
      pause: { main: [to('agency')] },
    },
    nodeTypes: nodeTypes({
      start: passing('start', false),
      agency,
      message: passing('message', false),
      pause: passing('pause', true),
      done: passing('done', false),
    }),
    settings: { executionOrder: 'v1' },
  });
}

/** Runs the loop until it ends or waits; `before` as n8n has it in its database, e.g. after a restart. */
async function run(before?: IRun, messageAt = 0): Promise<IRun> {
  const { WorkflowExecute } = await loadEngine();
  const data = await additionalData({ address: sandbox().url, token: sandbox().keys.full });
  const workflow = loop(messageAt);
  if (before === undefined) {
    const execution = new WorkflowExecute(data, 'manual');
    return await execution.run({ workflow, startNode: workflow.getNode('start') ?? undefined });
  }
  const execution = new WorkflowExecute(data, 'manual', parse(stringify(before.data)));
  return await execution.processRunExecutionData(workflow);
}

const runsOf = ({ data }: IRun, node: string) => data.resultData.runData[node] ?? [];

test('an item waits for its approval in a loop, also through restarts of n8n, and then the change is made', async () => {
  const asked = await run();
  expect(asked.status).toBe('waiting');
  const json = runsOf(asked, 'agency')[0]?.data?.main?.[1]?.[0]?.json ?? {};

  const undecided = await run(asked);
  expect(undecided.status).toBe('waiting');
  expect(runsOf(undecided, 'agency')[1]?.data?.main?.[1]?.map((item) => item.json)).toEqual([json]);
  expect(runsOf(undecided, 'message')).toHaveLength(2);
  expect(await isChanged()).toBe(false);

  await decide({ approvalId: String(json.approvalId) }, 'approved');
  const made = await run(undecided);
  expect(made.data.resultData.error).toBeUndefined();
  expect(made.status).toBe('success');
  expect(runsOf(made, 'done')).toHaveLength(1);
  expect(await isChanged()).toBe(true);
});

test('a message below the pause is sent only after the decision', async () => {
  const asked = await run(undefined, 200);
  const undecided = await run(asked, 200);
  expect(undecided.status).toBe('waiting');
  expect(runsOf(undecided, 'message')).toHaveLength(0);

  const [approval] = runsOf(undecided, 'agency')[1]?.data?.main?.[1] ?? [];
  await decide({ approvalId: String(approval?.json.approvalId) }, 'approved');
  const made = await run(undecided, 200);
  expect(made.status).toBe('success');
  expect(runsOf(made, 'message')).toHaveLength(2);
});
