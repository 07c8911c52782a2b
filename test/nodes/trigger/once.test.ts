import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions, INode, IRun } from 'n8n-workflow';
import {
  hasBegun,
  letBeginAgain,
  noteHandedOn,
} from '../../../nodes/AccountingAgencyTrigger/deduplication/deduplication';
import { anEvent, signedCall, VECTOR_SECRET } from '../../support/trigger/signing';
import { ProcessedEntries } from '../../support/trigger/entries';
import { processedEntries } from '../../support/trigger/processed';
import { until } from '../../support/time/until';
import { Host, storedWorkflow } from '../../support/trigger/trigger';
import { triggerType } from '../../support/workflow';

const CREDENTIAL = { address: 'https://agency.example', token: 'the-key' };

const REGISTERED = JSON.stringify({
  'node:Agency events': {
    endpoint: {
      id: 'we_1',
      secret: VECTOR_SECRET,
      workflowId: 'workflow-1',
      url: 'https://n8n.example/webhook/hook-1/webhook',
      agency: CREDENTIAL.address,
      eventTypes: ['*'],
    },
    generation: 0,
  },
});
/** The item of an event that has arrived once more. */
const item = (id: string) => ({ json: { ...anEvent({ id }), arrival: { id: randomUUID() } } });
const ids = (host: Host) => host.ran.map(({ id }) => id).sort();
const names = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`).sort();
const entriesOf = ({ id, nodeId }: { id: string; nodeId: string }) => processedEntries.get(`${id}/${nodeId}`);
const contextOf = ({ id, nodeId }: { id: string; nodeId: string }) => {
  const node = { id: nodeId, name: 'Agency', type: 'trigger', typeVersion: 1, parameters: {} };
  return {
    getNode: (): INode => ({ ...node, position: [0, 0] }),
    getWorkflow: () => ({ id, active: true }),
  };
};
const errorOf = ({ data }: IRun) => data.resultData.error;

test('runs the next nodes once for an event that n8n stored twice', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  const arrived = item('evt_1');
  const first = await host.execute(stored, [arrived]);
  const second = await host.execute(stored, [item('evt_1')]);
  expect([errorOf(first), errorOf(second)]).toEqual([undefined, undefined]);
  expect(host.ran).toEqual([arrived.json]);
  expect(second.data.resultData.runData.Next).toBeUndefined();
});

test.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
  'runs no next node for a repeat with Always Output Data and On Error %s',
  async (onError) => {
    const host = new Host();
    const stored = storedWorkflow(CREDENTIAL, { alwaysOutputData: true, onError });
    for (const id of ['evt_1', 'evt_1', 'evt_2', 'evt_2', 'evt_1']) {
      const run = await host.execute(stored, [item(id)]);
      expect(errorOf(run)).toBeUndefined();
    }
    expect(ids(host)).toStrictEqual(['evt_1', 'evt_2']);
    expect(stored.alwaysOutputData).toBe(true);
  },
);

test('runs each of 40 events with 10 in flight once, and none when all are repeated', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  const runAll = async () => {
    const queue = names(40).values();
    const worker = async () => {
      for (const id of queue) expect(errorOf(await host.execute(stored, [item(id)]))).toBeUndefined();
    };
    await Promise.all(Array.from({ length: 10 }, worker));
  };
  await runAll();
  expect(ids(host)).toStrictEqual(names(40));
  await runAll();
  expect(host.ran).toHaveLength(40);
});

test('runs the event of another agency that has the same ID', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  await host.execute(stored, [item('evt_1')]);
  stored.credential = { ...CREDENTIAL, address: 'https://other.example' };
  for (let times = 0; times < 2; times += 1) await host.execute(stored, [item('evt_1')]);
  expect(host.ran).toHaveLength(2);
});

test('keeps two alike nodes of a workflow apart', async () => {
  const host = new Host();
  const one = storedWorkflow(CREDENTIAL);
  const other = storedWorkflow(CREDENTIAL, { id: one.id });
  for (const node of [one, other, one, other]) await host.execute(node, [item('evt_1')]);
  expect(host.ran).toHaveLength(2);
});

test('runs an event once in each of two triggers of a workflow that are called at the same time', async () => {
  const host = new Host();
  const one = storedWorkflow(CREDENTIAL, { staticData: REGISTERED });
  const other = storedWorkflow(CREDENTIAL, { ...one, nodeId: 'another-node' });
  const call = signedCall(JSON.stringify(anEvent({ id: 'evt_of_both' })));
  const nodes = [one, other, one, other];
  const answers = await Promise.all(nodes.map(async (node) => await host.deliver(node, call)));
  expect(answers.filter(({ items }) => items !== undefined)).toHaveLength(2);
  expect(host.ran).toHaveLength(2);
});

test('runs an event in the published workflow that a person has seen in a test', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL, { staticData: REGISTERED });
  const call = signedCall(JSON.stringify(anEvent({ id: 'evt_of_test' })));
  const { items } = await host.call(stored, call, 'manual');
  await host.execute(stored, items ?? [], 'manual');
  expect((await host.deliver(stored, call)).items).toHaveLength(1);
  expect(host.ran).toHaveLength(2);
});

test('lets the item be traced back to the event', async () => {
  const host = new Host();
  const { data } = await host.execute(storedWorkflow(CREDENTIAL), [item('evt_1')]);
  const [output] = data.resultData.runData.Next?.[0]?.data?.main ?? [];
  expect(output?.[0]?.pairedItem).toEqual({ item: 0 });
});

test('drops nothing that a person tries again', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  const arrived = item('evt_1');
  await host.execute(stored, [arrived]);
  await host.execute(stored, [arrived], 'retry');
  expect(host.ran).toHaveLength(2);
});

test('drops what a person tries again when the event has run in another execution meanwhile', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  await host.execute(stored, [item('evt_1')]);
  await host.execute(stored, [item('evt_1')], 'retry');
  expect(host.ran).toHaveLength(1);
});

test('knows an event that ran for the first time when a person tried again', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  await host.execute(stored, [item('evt_1')], 'retry');
  await host.execute(stored, [item('evt_1')]);
  expect(host.ran).toHaveLength(1);
});

test('runs an execution once that n8n begins twice, at the same time or one after the other', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  const arrived = item('evt_1');
  await Promise.all([host.execute(stored, [arrived]), host.execute(stored, [arrived])]);
  await host.execute(stored, [arrived]);
  expect(host.ran).toHaveLength(1);
});

test('runs an execution again whose process was killed', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  const arrived = item('evt_1');
  await host.execute(stored, [arrived]);
  // The next process does not know that it has begun.
  letBeginAgain([arrived]);
  await host.execute(stored, [arrived]);
  expect(host.ran).toHaveLength(2);
});

test('drops and notes nothing when a person runs the workflow by hand', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  await host.execute(stored, [item('evt_1')], 'manual');
  await host.execute(stored, [item('evt_1')], 'manual');
  expect(host.ran).toHaveLength(2);
  expect(entriesOf(stored)).toBeUndefined();
  await host.execute(stored, [item('evt_1')]);
  expect(host.ran).toHaveLength(3);
});

test('lets no event fall when the store fails, which is said', async () => {
  const host = new Host();
  const said: string[] = [];
  const { execute } = triggerType;
  jest.spyOn(triggerType, 'execute').mockImplementation(async function (this: IExecuteFunctions) {
    jest.spyOn(this.logger, 'warn').mockImplementation((line) => said.push(line));
    return await execute.call(this);
  });
  const stored = storedWorkflow(CREDENTIAL);
  const broken = new ProcessedEntries(1);
  broken.faults.push(...Array.from({ length: 10 }, () => new Error('SQLITE_BUSY')));
  processedEntries.set(`${stored.id}/${stored.nodeId}`, broken);
  const runs = await Promise.all(
    ['evt_1', 'evt_2'].map(async (id) => await host.execute(stored, [item(id)])),
  );
  jest.restoreAllMocks();
  expect(runs.map(errorOf)).toEqual([undefined, undefined]);
  expect(ids(host)).toStrictEqual(['evt_1', 'evt_2']);
  expect(said.sort()).toEqual(
    ['evt_1', 'evt_2'].map(
      (id) => `n8n could not record that the event ${id} has run; it runs anyway: SQLITE_BUSY`,
    ),
  );
});

test.each([50, '50'])(
  'remembers as many events as the node is set to (%j), by two entries each',
  async (size) => {
    const host = new Host();
    const stored = storedWorkflow(CREDENTIAL, {
      parameters: { options: { deduplicationHistorySize: size } },
    });
    await Promise.all(names(60).map(async (id) => await host.execute(stored, [item(id)])));
    expect(entriesOf(stored)?.entries).toHaveLength(100);
  },
);

test.each([10, 'x'])('remembers as many as usual when an expression sets it to %j', async (size) => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL, { parameters: { options: { deduplicationHistorySize: size } } });
  await Promise.all(names(55).map(async (id) => await host.execute(stored, [item(id)])));
  expect(entriesOf(stored)?.entries).toHaveLength(110);
});

test('keeps what it remembers when it is set to remember more', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL, { parameters: { options: { deduplicationHistorySize: 50 } } });
  const run = async (all: string[]) =>
    await Promise.all(all.map(async (id) => await host.execute(stored, [item(id)])));
  await run(names(20));
  stored.parameters = { ...stored.parameters, options: { deduplicationHistorySize: 1000 } };
  const more = Array.from({ length: 80 }, (_, index) => `evt_more_${index}`);
  await run(more);
  const before = host.ran.length;
  await run([...names(20), ...more]);
  expect(host.ran.slice(before)).toEqual([]);
  expect(entriesOf(stored)?.entries).toHaveLength(200);
});

test.each([
  ['no ID', { pinned: true }],
  ['no arrival', { id: 'evt_1' }],
  ['an arrival, but no ID', { arrival: { id: 'arrival_1' } }],
])('passes on what has %s, however often it comes', async (_, json) => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  for (let times = 0; times < 2; times += 1) await host.execute(stored, [{ json }]);
  expect(host.ran).toEqual([json, json]);
});

test('looks at the store once for an event from the feed whose execution runs in the same process', async () => {
  const stored = storedWorkflow(CREDENTIAL);
  const looks = async (id: string) => {
    const before = entriesOf(stored)?.calls ?? 0;
    await new Host().execute(stored, [item(id)]);
    return (entriesOf(stored)?.calls ?? 0) - before;
  };
  expect(await looks('evt_1')).toBe(2);
  noteHandedOn(contextOf(stored), 'evt_2');
  expect(await looks('evt_2')).toBe(1);
});

test('knows of which events an execution has begun, of this node and this agency', async () => {
  const host = new Host();
  const stored = storedWorkflow(CREDENTIAL);
  const begun = (workflow = stored, agency = CREDENTIAL.address, event = 'evt_1') =>
    hasBegun(contextOf(workflow), agency, event);
  expect(begun()).toBe(false);
  await host.execute(stored, [item('evt_1')], 'manual');
  expect(begun()).toBe(false);
  await host.execute(stored, [item('evt_1')]);
  await host.execute(stored, [item('evt_2')]);
  expect(begun()).toBe(true);
  expect(begun(storedWorkflow(CREDENTIAL))).toBe(false);
  expect(begun(stored, 'https://other.example')).toBe(false);
  expect(begun(stored, CREDENTIAL.address, 'evt_3')).toBe(false);
});

describe('a call of an event', () => {
  const started = async (host: Host) => {
    const stored = storedWorkflow(CREDENTIAL, {
      id: 'workflow-1',
      staticData: REGISTERED,
      parameters: { options: { feedComparisonInterval: 0 } },
    });
    await host.startAlone(stored, 'init');
    return stored;
  };
  const callOf = (id: string) => signedCall(JSON.stringify(anEvent({ id })), VECTOR_SECRET, id);

  test('is answered by n8n 2 itself, when it has stored the execution', async () => {
    const host = new Host();
    const stored = await started(host);
    const call = await host.call(stored, callOf('evt_1'));
    expect(call).toMatchObject({ status: 202, isAnswered: true, items: [{ json: { id: 'evt_1' } }] });
  });

  test('is answered with n8n 1 when its execution has begun, so that none is lost when n8n ends before', async () => {
    const host = new Host(true);
    const stored = await started(host);
    const call = await host.call(stored, callOf('evt_1'));
    expect(call).toMatchObject({ isAnswered: false, items: [{ json: { id: 'evt_1' } }] });
    await host.execute(stored, call.items ?? []);
    await until('the answer', () => call.isAnswered);
    expect(call.status).toBe(202);
  });

  test('is answered with n8n 1 after three seconds, but not as taken, when no execution begins', async () => {
    const host = new Host(true);
    const stored = await started(host);
    const answerTo = async (id: string) => {
      const began = Date.now();
      const call = await host.call(stored, callOf(id));
      expect(call.isAnswered).toBe(false);
      await until('the answer', () => call.isAnswered);
      const waited = Date.now() - began;
      const after = waited >= 3_000 ? 'three seconds' : waited >= 1_000 ? 'a second' : 'less';
      return { after, status: call.status };
    };
    expect(await answerTo('evt_1')).toEqual({ after: 'three seconds', status: 200 });
    // As it seems, executions run in other processes.
    expect(await answerTo('evt_2')).toEqual({ after: 'a second', status: 202 });
    // One that was run by hand says nothing of the others.
    await host.execute(stored, [item('evt_3')], 'manual');
    expect(await answerTo('evt_4')).toEqual({ after: 'a second', status: 202 });
    await host.execute(stored, [item('evt_5')]);
    expect(await answerTo('evt_6')).toEqual({ after: 'three seconds', status: 200 });
    expect(await answerTo('evt_7')).toEqual({ after: 'three seconds', status: 200 });
  });
});
