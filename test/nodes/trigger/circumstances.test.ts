import { matchesGlob } from 'node:path';
import { Expression } from 'n8n-workflow';
import { idOf, urlOf } from '../../support/trigger/registered';
import { type N8n, useN8n } from '../../support/trigger/running-n8n';
import { until } from '../../support/time/until';

const { agency, skipTime, n8n: n8nWith } = useN8n();
const occur = async (count: number) => await agency().sandbox.control('events', { count });
const EVERY_MINUTE = { parameters: { options: { feedComparisonInterval: 1 } } };

/** Lets so many minutes pass, and the comparison that is then due. */
async function compare(n8n: N8n, minutes = 2): Promise<void> {
  skipTime(minutes * 60_000);
  n8n.trigger?.tick();
  await n8n.isIdle();
}

/** Waits until an endpoint that was made anew was removed again, and looks whether that was said. */
async function expectGivenUp({ host }: N8n): Promise<void> {
  await until('that to be said', () => host.warnings.length === 2);
  expect(host.warnings).toEqual([
    expect.stringContaining('so a new one is created'),
    expect.stringContaining('calls do not arrive in this n8n process'),
  ]);
  expect(agency().endpoints()).toEqual([]);
}

test('a trigger that gets another name, and its old one again, runs what happened meanwhile', async () => {
  const n8n = n8nWith();
  const { nodeName } = n8n.stored;
  await n8n.publish();
  await occur(3);
  await n8n.expectEachOnce(3);
  await n8n.unpublish();
  await occur(2);
  n8n.stored.nodeName = 'Renamed';
  await n8n.publish();
  await n8n.expectEachOnce(5);
  await n8n.unpublish();
  await occur(4);
  n8n.stored.nodeName = nodeName;
  await n8n.publish();
  await n8n.expectEachOnce(9);
  expect(n8n.emitted()).toBe(4);
  await n8n.unpublish();
}, 60_000);

test('a comparison that is switched on leaves alone what came before', async () => {
  const n8n = n8nWith({ parameters: { options: { feedComparisonInterval: 0 } } });
  await n8n.publish();
  await occur(2);
  await n8n.expectEachOnce(2);
  expect(n8n.stored.staticData).not.toContain('progress":{"agency');
  await n8n.unpublish();
  n8n.stored.parameters = {};
  await occur(3);
  await n8n.publish();
  await occur(1);
  await until('the last event', () => n8n.host.ran.length >= 3);
  expect(n8n.emitted()).toBe(0);
  await n8n.unpublish();
}, 60_000);

describe('a process that has called no hook for the node', () => {
  /** n8n whose other process has registered the endpoint and saved it. */
  const registered = async () => {
    const n8n = n8nWith(EVERY_MINUTE);
    const { id: workflowId, nodeName } = n8n.stored;
    const settings = { url: urlOf(n8n.stored), eventTypes: ['*'] };
    const { body } = await agency().sandbox.call<{ id: string; secret: string }>({
      method: 'POST',
      path: '/webhook-endpoints',
      body: settings,
    });
    const endpoint = {
      ...settings,
      id: body.id,
      secret: body.secret,
      workflowId,
      agency: agency().sandbox.url,
    };
    n8n.stored.staticData = JSON.stringify({ [`node:${nodeName}`]: { endpoint, generation: 0 } });
    return n8n;
  };

  test('puts the endpoint right that n8n has saved', async () => {
    const n8n = await registered();
    await agency().change(idOf(n8n.stored), { enabled: false });
    await n8n.startTriggerAlone();
    await until('the endpoint to be put right', () => agency().endpoints()[0]?.enabled === true);
    await n8n.unpublish();
    expect(agency().endpoints()).toEqual([]);
  }, 60_000);

  test('removes a new endpoint again whose calls do not arrive there, which is said', async () => {
    const n8n = await registered();
    await agency().remove(idOf(n8n.stored));
    n8n.isOn = false;
    await n8n.startTriggerAlone();
    await expectGivenUp(n8n);
  }, 60_000);

  test('asks for no endpoint when it knows no address, and compares all the same', async () => {
    const n8n = n8nWith(EVERY_MINUTE);
    const before = await agency().asked();
    await n8n.startTriggerAlone();
    await until('the comparison', async () =>
      (await agency().sandbox.requests()).slice(before).some(({ path }) => path.endsWith('/events')),
    );
    await n8n.isIdle();
    expect(agency().endpoints()).toEqual([]);
    expect(n8n.host.warnings).toEqual([]);
  }, 60_000);
});

describe('a publication that is refused, beside which n8n 2 starts the trigger', () => {
  const refused = async () => {
    const key = await agency().sandbox.newKey(['events:read', 'documents:read', 'companies:read']);
    const n8n = n8nWith({ ...EVERY_MINUTE, credential: agency().credential(key) });
    expect(String(await n8n.publishSideBySide('activate'))).toContain('webhooks:manage');
    return n8n;
  };

  test('runs nothing, and the next one compares once a time', async () => {
    const n8n = await refused();
    const { trigger: former } = n8n;
    await occur(6);
    await compare(n8n);
    await compare(n8n);
    expect(n8n.host.ran).toEqual([]);
    n8n.stored.credential = agency().credential();
    expect(await n8n.publishSideBySide('update')).toBeUndefined();
    await compare(n8n);
    const before = await agency().asked();
    skipTime(2 * 60_000);
    former?.tick();
    n8n.trigger?.tick();
    await n8n.isIdle();
    const asked = (await agency().sandbox.requests()).slice(before);
    expect(asked.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
    expect(n8n.host.ran).toEqual([]);
    await occur(2);
    await n8n.expectEachOnce(2);
    await n8n.unpublish();
  }, 60_000);

  test('keeps a process from nothing that later takes the lead', async () => {
    const n8n = await refused();
    n8n.stored.credential = agency().credential();
    await n8n.startTriggerAlone('leadershipChange');
    await until('the endpoint', () => agency().endpoints().length === 1);
    await n8n.unpublish();
  }, 60_000);
});

test('a trigger that starts while its endpoint is being created leaves alone what came before', async () => {
  const n8n = n8nWith({ parameters: { options: { recoverUnpublished: false } } });
  await n8n.publish();
  await n8n.unpublish();
  await occur(3);
  await Promise.all([n8n.startTriggerAlone(), n8n.host.activate(n8n.stored)]);
  await occur(2);
  await n8n.expectEachOnce(2);
  expect(n8n.emitted()).toBe(0);
  await n8n.unpublish();
}, 60_000);

test('an endpoint that is removed while the agency cannot reach n8n is created, and saved with a later call', async () => {
  const n8n = n8nWith(EVERY_MINUTE);
  await n8n.publish();
  await occur(1);
  await n8n.expectEachOnce(1);
  await agency().remove(idOf(n8n.stored));
  n8n.isOn = false;
  await compare(n8n);
  await until('the test call', () => n8n.refused > 0);
  n8n.isOn = true;
  await until('the new endpoint to be saved', async () => {
    await compare(n8n);
    return agency().endpoints()[0]?.id === idOf(n8n.stored);
  });
  const emitted = n8n.emitted();
  await occur(5);
  await n8n.expectEachOnce(6);
  expect(n8n.emitted()).toBe(emitted);
  expect(n8n.host.infos).toContainEqual(
    expect.stringContaining(`has the webhook endpoint ${idOf(n8n.stored)} at ${agency().sandbox.url}.`),
  );
  expect(n8n.host.warnings).toEqual([expect.stringMatching(/so a new one is created/)]);
  await n8n.unpublish();
  expect(agency().endpoints()).toEqual([]);
}, 60_000);

test('an endpoint whose calls never arrived in this process is tried every hour', async () => {
  const n8n = n8nWith(EVERY_MINUTE);
  n8n.isOn = false;
  await n8n.publish();
  await agency().remove(idOf(n8n.stored));
  await until('the missing endpoint to be noticed', async () => {
    await compare(n8n);
    return n8n.host.warnings.length > 0;
  });
  expect(n8n.host.warnings).toEqual([
    expect.stringMatching(/has no webhook endpoint, because .*its events come from the event feed/i),
  ]);
  n8n.isOn = true;
  await occur(2);
  await compare(n8n);
  await n8n.expectEachOnce(2);
  expect(agency().endpoints()).toEqual([]);
  await compare(n8n, 61);
  await until('the new endpoint', () => agency().endpoints()[0]?.id === idOf(n8n.stored));
  expect(n8n.host.warnings).toHaveLength(1);
  await n8n.unpublish();
}, 60_000);

test('an endpoint whose test call the agency refuses is removed again, which is said', async () => {
  const n8n = n8nWith(EVERY_MINUTE);
  n8n.isOn = false;
  await n8n.publish();
  const refused = { path: '/webhook-endpoints/*/test', times: 1_000, fault: 'status', status: 502 };
  await agency().sandbox.control('faults', [refused]);
  await agency().remove(idOf(n8n.stored));
  // It is tried again an hour after the last call that did not come.
  await compare(n8n, 61);
  await expectGivenUp(n8n);
}, 60_000);

test('an endpoint whose test call the rate limit refuses is made a minute later, and not said to get no calls', async () => {
  const n8n = n8nWith(EVERY_MINUTE);
  n8n.isOn = false;
  await n8n.publish();
  const limited = {
    path: '/webhook-endpoints/*/test',
    times: 1,
    fault: 'status',
    status: 429,
    retryAfter: 45,
  };
  await agency().sandbox.control('faults', [limited]);
  await agency().remove(idOf(n8n.stored));
  n8n.isOn = true;
  await compare(n8n, 61);
  await until('that to be said', () => n8n.host.warnings.length === 2);
  expect(n8n.host.warnings).toEqual([
    expect.stringContaining('so a new one is created'),
    expect.stringContaining('cannot check its webhook endpoint, and tries again every minute'),
  ]);
  expect(agency().endpoints()).toEqual([]);
  await compare(n8n);
  await until('the new endpoint', () => agency().endpoints()[0]?.id === idOf(n8n.stored));
  expect(n8n.host.warnings).toHaveLength(2);
  await n8n.unpublish();
}, 60_000);

describe('a workflow that is unpublished while a removed endpoint is made anew', () => {
  test.each([
    ['looked for', 'PATCH', '/webhook-endpoints/*', []],
    ['created', 'POST', '/webhook-endpoints', ['/webhook-endpoints']],
    ['saved', 'POST', '/webhook-endpoints/*/test', ['/webhook-endpoints', '/webhook-endpoints/<id>/test']],
  ])(
    'leaves none, and asks for nothing more, when it is just being %s',
    async (_, method, path, posted) => {
      const n8n = n8nWith(EVERY_MINUTE);
      await n8n.publish();
      await agency().remove(idOf(n8n.stored));
      const held = { method, path, times: 1, fault: 'delay', delayMs: 2_000 };
      await agency().sandbox.control('faults', [held]);
      const before = await agency().asked();
      const asked = async () =>
        (await agency().sandbox.requests())
          .slice(before)
          .map((request) => ({ ...request, path: request.path.replace('/api/v1', '') }));
      const isUnderWay = async () =>
        (await asked()).some(
          (one) => one.method === method && one.status === null && matchesGlob(one.path, path),
        );
      skipTime(2 * 60_000);
      n8n.trigger?.tick();
      await until('the request', isUnderWay);
      await n8n.host.deactivate(n8n.stored);
      await until('its answer', async () => !(await isUnderWay()));
      await n8n.isIdle();
      expect(agency().endpoints()).toEqual([]);
      const posts = (await asked()).filter((one) => one.method === 'POST');
      expect(posts.map((one) => one.path.replace(/we_[^/]+/, '<id>'))).toEqual(posted);
      expect(n8n.host.warnings).not.toContainEqual(expect.stringContaining('calls do not arrive'));
    },
    60_000,
  );
});

describe("with n8n 2's own expression engine", () => {
  beforeAll(async () => {
    await Expression.initExpressionEngine({
      engine: 'vm',
      bridgeTimeout: 5_000,
      bridgeMemoryLimit: 128,
      poolSize: 1,
      maxCodeCacheSize: 10,
    });
  });
  afterAll(async () => {
    await Expression.disposeExpressionEngine();
    Expression.setExpressionEngine('legacy');
  });

  test('a company given by an expression keeps from neither comparing nor healing', async () => {
    const { body } = await agency().sandbox.call<{ data: Array<{ id: string }> }>({ path: '/companies' });
    const [id, otherId] = body.data.map((company) => company.id);
    const occurAt = async (companyId: string | undefined, count: number) =>
      await agency().sandbox.control('events', { count, companyId, type: 'company.updated' });
    const value = `={{ ['${id}'].join() }}`;
    const n8n = n8nWith({
      parameters: {
        companies: 'selected',
        companyList: { values: [{ company: { __rl: true, mode: 'id', value } }] },
        options: { feedComparisonInterval: 1 },
      },
    });
    await n8n.publish();
    await n8n.stop();
    await occurAt(otherId, 2);
    await occurAt(id, 3);
    await n8n.begin();
    await n8n.expectEachOnce(3);
    const first = idOf(n8n.stored);
    await agency().remove(first);
    await until('the new endpoint to be saved', async () => {
      await compare(n8n);
      return idOf(n8n.stored) !== first;
    });
    expect(n8n.host.warnings).toEqual([expect.stringContaining('so a new one is created')]);
    await n8n.unpublish();
  }, 60_000);
});

test('a clock that is set back holds up no comparison', async () => {
  const n8n = n8nWith(EVERY_MINUTE);
  skipTime(5 * 3_600_000);
  await n8n.publish();
  skipTime(-5 * 3_600_000);
  await agency().change(idOf(n8n.stored), { enabled: false });
  await until('the endpoint to be put right', async () => {
    n8n.trigger?.tick();
    await n8n.isIdle();
    return agency().endpoints()[0]?.enabled === true;
  });
  await n8n.unpublish();
}, 60_000);

test('a process that has unpublished the workflow before puts its endpoint right when it leads again', async () => {
  const n8n = n8nWith(EVERY_MINUTE);
  await n8n.publish();
  const { staticData } = n8n.stored;
  await n8n.unpublish();
  // Another process of n8n has published it since: this one gets the trigger, but no hook.
  n8n.stored.staticData = staticData.replace(/"generation":\d+/, '"generation":7');
  expect(n8n.stored.staticData).toContain('"generation":7');
  await n8n.startTriggerAlone();
  await until('an endpoint', () => agency().endpoints().length === 1);
  await occur(2);
  await n8n.expectEachOnce(2);
  await n8n.unpublish();
  expect(agency().endpoints()).toEqual([]);
}, 60_000);
