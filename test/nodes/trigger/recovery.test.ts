import { memoryOf } from '../../../nodes/AccountingAgencyTrigger/state/memory';
import { MANY_READINGS, TEST_WITHOUT_REPORT } from '../../support/proxies/event-readings';
import { useReadingProxy } from '../../support/proxies/reading-proxy';
import { idOf } from '../../support/trigger/registered';
import { newestIds, useN8n } from '../../support/trigger/running-n8n';
import { keptEndpoint, type StoredWorkflow } from '../../support/trigger/trigger';
import { until } from '../../support/time/until';

const { agency, receiver, skipTime, n8n: n8nWith } = useN8n();
const proxy = useReadingProxy(() => agency().sandbox.url);
const occur = async (count: number) => await agency().sandbox.control('events', { count });
const REFUSED_TESTS = { path: '/webhook-endpoints/*/test', times: 1_000, fault: 'status', status: 502 };

test('in ordinary operation nothing runs from the feed, and nothing of before the first publication', async () => {
  await occur(5);
  const n8n = n8nWith();
  await n8n.publish();
  await occur(30);
  await until('the deliveries', () => n8n.host.ran.length >= 30);
  await n8n.stop();
  await n8n.begin();
  await n8n.expectEachOnce(30);
  expect(n8n.emitted()).toBe(0);
  expect(n8n.host.warnings).toEqual([]);
  await n8n.unpublish();
});

describe('what did not arrive runs once, oldest first', () => {
  test('after n8n was off', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await n8n.stop();
    await occur(60);
    await until('the calls to fail', () => n8n.refused >= 60);
    await n8n.begin();
    await n8n.expectEachOnce(60);
    expect(n8n.trigger?.emitted.map(({ event }) => event.id)).toEqual(await newestIds(agency(), 60));
    expect(n8n.trigger?.atOnce).toBeLessThanOrEqual(5);
    // The agency repeats what it could not deliver.
    await agency().sandbox.control('clock', { advanceSeconds: 61 });
    await occur(1);
    await n8n.expectEachOnce(61);
    await n8n.unpublish();
  }, 60_000);

  test.each([false, true])(
    'after n8n answered calls itself while it was starting, and was killed then; n8n 1: %s',
    async (classic) => {
      const n8n = n8nWith({}, classic);
      await n8n.publish();
      await occur(3);
      await n8n.expectEachOnce(3);
      await n8n.stop();
      Object.assign(n8n, { isOn: true, isMigrating: true });
      await occur(7);
      await until('the calls to be dropped', () => n8n.refused >= 7);
      n8n.isMigrating = false;
      await n8n.begin();
      await n8n.expectEachOnce(10);
      expect(n8n.emitted()).toBe(7);
      await n8n.unpublish();
    },
    60_000,
  );

  test('after n8n was off, at an agency with other lists and times', async () => {
    proxy.read(MANY_READINGS);
    const credential = { address: proxy.address(), token: agency().sandbox.keys.full };
    const n8n = n8nWith({ credential });
    await n8n.publish();
    await occur(3);
    await n8n.expectEachOnce(3);
    await n8n.stop();
    await occur(9);
    await until('the calls to fail', () => n8n.refused >= 9);
    await n8n.begin();
    await n8n.expectEachOnce(12);
    expect(n8n.trigger?.emitted.map(({ event }) => event.id)).toEqual(await newestIds(agency(), 9));
    expect(n8n.host.warnings).toEqual([]);
    await n8n.unpublish();
  }, 60_000);

  test('after the endpoint was paused, which is put right', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await agency().change(idOf(n8n.stored), { enabled: false });
    await occur(20);
    await n8n.stop();
    await n8n.begin();
    await until('the events to be overdue', () => {
      n8n.trigger?.tick();
      return n8n.host.ran.length >= 20;
    });
    await n8n.expectEachOnce(20);
    expect(agency().endpoints()).toEqual([expect.objectContaining({ enabled: true })]);
    await occur(3);
    await n8n.expectEachOnce(23);
    await n8n.unpublish();
  }, 60_000);

  test('at once and in order, when the agency has no delivery of what occurred hours ago', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await agency().change(idOf(n8n.stored), { enabled: false });
    await occur(20);
    await n8n.stop();
    const now = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000);
    await n8n.begin();
    await n8n.expectEachOnce(20);
    expect(n8n.trigger?.emitted.map(({ event }) => event.id)).toEqual(await newestIds(agency(), 20));
    await n8n.unpublish();
  }, 60_000);

  test('after the endpoint was removed while n8n was off, although unpublished time is not recovered', async () => {
    const n8n = n8nWith({ parameters: { options: { recoverUnpublished: false } } });
    await n8n.publish();
    await n8n.stop();
    await agency().remove(idOf(n8n.stored));
    await occur(5);
    await n8n.begin();
    await n8n.expectEachOnce(5);
    expect(n8n.emitted()).toBe(5);
    await n8n.unpublish();
  }, 60_000);

  test('after the workflow was unpublished before the feed was compared at all', async () => {
    const n8n = n8nWith();
    await n8n.host.activate(n8n.stored);
    await n8n.host.deactivate(n8n.stored);
    await occur(4);
    await n8n.publish();
    await n8n.expectEachOnce(4);
    await n8n.unpublish();
  }, 60_000);

  test('after n8n was killed between a publication and its first comparison', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await n8n.unpublish();
    await occur(4);
    await n8n.host.activate(n8n.stored);
    await n8n.begin();
    await n8n.expectEachOnce(4);
    await n8n.unpublish();
  }, 60_000);

  test.each([
    ['the new one is saved', {}],
    ['the new one is saved also when its test is answered with nothing', TEST_WITHOUT_REPORT],
  ])(
    'after the endpoint was removed while the workflow was running: %s',
    async (_, reading) => {
      proxy.read(reading);
      const n8n = n8nWith({
        credential: { address: proxy.address(), token: agency().sandbox.keys.full },
        parameters: { options: { feedComparisonInterval: 1 } },
      });
      await n8n.publish();
      // A test that a person stops is not the end of the workflow.
      await (await n8n.host.listen(n8n.stored)).stop();
      const first = idOf(n8n.stored);
      await agency().remove(first);
      await occur(7);
      await until('the new endpoint to be saved', () => {
        n8n.trigger?.tick();
        return idOf(n8n.stored) !== first;
      });
      await n8n.expectEachOnce(7);
      expect(agency().endpoints()).toEqual([
        expect.objectContaining({ id: idOf(n8n.stored), enabled: true }),
      ]);
      // The comparison that was under way may have met it as well.
      expect(n8n.host.warnings).toContainEqual(
        expect.stringMatching(`has no webhook endpoint ${first} .*so a new one is created`),
      );
      const emitted = n8n.emitted();
      await occur(4);
      await n8n.expectEachOnce(11);
      expect(n8n.emitted()).toBe(emitted);
      await n8n.stop();
      await n8n.begin();
      expect(agency().endpoints()).toHaveLength(1);
      await n8n.unpublish();
      expect(agency().endpoints()).toEqual([]);
    },
    60_000,
  );

  test.each([true, false])(
    'after the workflow was unpublished, if the option says %s',
    async (recoverUnpublished) => {
      const n8n = n8nWith({ parameters: { options: { recoverUnpublished } } });
      await n8n.publish();
      await occur(3);
      await n8n.expectEachOnce(3);
      await n8n.unpublish();
      await occur(9);
      await n8n.publish();
      await occur(2);
      if (recoverUnpublished) {
        await n8n.expectEachOnce(14);
      } else {
        await until('the last events', () => n8n.host.ran.length >= 5);
        expect(n8n.emitted()).toBe(0);
      }
      expect(n8n.emitted()).toBe(recoverUnpublished ? 9 : 0);
      await n8n.unpublish();
    },
    60_000,
  );

  test('although n8n could not store the executions at first', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await n8n.stop();
    await occur(20);
    n8n.host.storeFaults = 8;
    await n8n.begin();
    await until('all to run', () => {
      n8n.trigger?.tick();
      return n8n.host.ran.length >= 20;
    });
    await n8n.expectEachOnce(20);
    await n8n.unpublish();
  }, 60_000);

  test('although the agency no longer accepts the position, which is said', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await occur(4);
    await n8n.expectEachOnce(4);
    await n8n.stop();
    const data = JSON.parse(n8n.stored.staticData);
    data.global[`accountingAgencyTrigger:${n8n.stored.nodeId}`].progress.position = 'altered';
    n8n.stored.staticData = JSON.stringify(data);
    await occur(6);
    await n8n.begin();
    await n8n.expectEachOnce(10);
    const isSaid = (said: string) => said.includes('no longer accepts the position');
    await until('that to be said', () => n8n.host.warnings.filter(isSaid).length === 1);
    await n8n.unpublish();
  }, 60_000);
});

test('a position that the agency no longer accepts runs nothing again that n8n no longer remembers', async () => {
  const n8n = n8nWith();
  await n8n.publish();
  await occur(5);
  await agency().sandbox.control('clock', { advanceSeconds: 2 * 3_600 });
  await occur(2);
  await n8n.expectEachOnce(7);
  const [sixth, seventh] = await newestIds(agency(), 2);
  const kept = () =>
    JSON.parse(n8n.stored.staticData).global[`accountingAgencyTrigger:${n8n.stored.nodeId}`].progress;
  await until('the events to be compared', async () => {
    skipTime(11 * 60_000);
    n8n.trigger?.tick();
    await n8n.isIdle();
    await agency().sandbox.call({ method: 'POST', path: `/webhook-endpoints/${idOf(n8n.stored)}/test` });
    return Date.parse(kept().passed) > Date.now() + 3_600_000;
  });
  await n8n.unpublish();
  // A node of another ID is one of which this process remembers nothing.
  const { nodeId, staticData } = n8n.stored;
  const forgotten = `${nodeId}-forgotten`;
  n8n.stored.staticData = staticData.replaceAll(nodeId, forgotten).replace(kept().position, 'altered');
  n8n.stored.nodeId = forgotten;
  await n8n.publish();
  await until('the events of the last hour', () => n8n.emitted() >= 2);
  await n8n.isIdle();
  expect(n8n.trigger?.emitted.map(({ event }) => event.id)).toEqual([sixth, seventh]);
  await n8n.unpublish();
}, 60_000);

describe('a start of n8n while the agency is away', () => {
  // Tests before have moved the agency's clock ahead of n8n's, by which a node without an endpoint begins.
  beforeEach(async () => {
    await agency().sandbox.control('reset');
  });

  test('fails nothing: the endpoint is made sure of later', async () => {
    const n8n = n8nWith();
    await n8n.publish();
    await n8n.stop();
    await agency().change(idOf(n8n.stored), { enabled: false });
    const away = { path: '/**', times: 1_000, fault: 'reset-before' };
    await agency().sandbox.control('faults', [away]);
    await n8n.begin();
    expect(n8n.host.warnings.join('\n')).toMatch(/could not check or create its webhook endpoint/);
    await agency().sandbox.control('faults', []);
    await until('the endpoint to be put right', () => {
      n8n.trigger?.tick();
      return agency().endpoints()[0]?.enabled === true;
    });
    await until('that to be said', () =>
      n8n.host.infos.some((said) => said.includes('The comparison with the event feed works again')),
    );
    await n8n.unpublish();
  }, 60_000);

  test('creates an endpoint that was never registered later', async () => {
    const n8n = n8nWith();
    const away = { path: '/**', times: 1_000, fault: 'reset-before' };
    await agency().sandbox.control('faults', [away]);
    await n8n.begin();
    await agency().sandbox.control('faults', []);
    await until('the endpoint', () => {
      n8n.trigger?.tick();
      return keptEndpoint(n8n.stored) !== undefined;
    });
    await occur(2);
    await n8n.expectEachOnce(2);
    expect(agency().endpoints()).toEqual([expect.objectContaining({ id: idOf(n8n.stored) })]);
    await n8n.unpublish();
  }, 60_000);
});

describe('what does not pass by itself within an hour', () => {
  const begun = async (classic: boolean) => {
    const n8n = n8nWith({}, classic);
    await n8n.publish();
    const tokens = { good: n8n.stored.credential.token, revoked: agency().sandbox.keys.revoked };
    const compare = async (token: string, minutes: number) => {
      n8n.stored.credential.token = token;
      skipTime(minutes * 60_000);
      n8n.trigger?.tick();
      await n8n.isIdle();
    };
    return { n8n, ...tokens, compare };
  };

  test('is one failed execution with the way out, and another one when it is over', async () => {
    const { n8n, good, revoked, compare } = await begun(false);
    const { host } = n8n;
    for (const minutes of [11, 20, 20]) await compare(revoked, minutes);
    expect(host.failedExecutions).toEqual([]);
    expect(host.warnings).toEqual([
      expect.stringMatching(/cannot compare .*tries again every minute: .*does not accept the API key/),
    ]);
    for (const minutes of [25, 1, 120]) await compare(revoked, minutes);
    expect(host.failedExecutions).toEqual([
      expect.stringMatching(
        /^The comparison with the event feed has failed for an hour\. .*does not accept the API key/,
      ),
    ]);
    await compare(good, 2);
    await compare(good, 11);
    expect(host.failedExecutions.slice(1)).toEqual([
      'The comparison with the event feed works again. Events that did not arrive run now.',
    ]);
    expect([host.warnings.length, host.errors, host.infos.join().includes('works again')]).toEqual([
      1,
      [],
      false,
    ]);
    expect(JSON.stringify([host.warnings, host.failedExecutions])).not.toContain(revoked);
    await n8n.unpublish();
  }, 60_000);

  test('is said of the endpoint alone while the feed is compared', async () => {
    const { n8n, good, compare } = await begun(false);
    const { host } = n8n;
    const withoutEndpoints = await agency().sandbox.newKey(['events:read', 'documents:read']);
    for (const minutes of [11, 30, 31]) await compare(withoutEndpoints, minutes);
    expect(host.warnings).toContainEqual(
      expect.stringMatching(/cannot check its webhook endpoint, .*lacks the scope webhooks:manage/),
    );
    expect(host.warnings.join()).not.toContain('cannot compare');
    expect(host.failedExecutions).toEqual([
      expect.stringMatching(
        /^The webhook endpoint could not be checked for an hour\. .*lacks the scope webhooks:manage/,
      ),
    ]);
    await compare(good, 2);
    expect(host.failedExecutions.slice(1)).toEqual(['The webhook endpoint is checked again.']);
    await n8n.unpublish();
  }, 60_000);

  test('is said in the log of n8n 1', async () => {
    const { n8n, good, revoked, compare } = await begun(true);
    await compare(revoked, 11);
    await compare(revoked, 61);
    await compare(good, 2);
    expect(n8n.host.failedExecutions).toEqual([]);
    expect(n8n.host.errors).toEqual([
      expect.stringMatching(
        /^node .*comparison with the event feed has failed for an hour\. .*does not accept the API key/,
      ),
      expect.stringMatching(/^node .*comparison with the event feed works again/),
    ]);
    await n8n.unpublish();
  }, 60_000);
});

test('a start of n8n after which nothing has happened saves nothing anew', async () => {
  const n8n = n8nWith();
  await n8n.publish();
  await occur(3);
  await n8n.expectEachOnce(3);
  const { id, nodeId } = n8n.stored;
  const saves = async () => {
    await n8n.stop();
    // A new process does not know when it was saved last.
    memoryOf(Object({ getWorkflow: () => ({ id }), getNode: () => ({ id: nodeId }) })).savedAt = undefined;
    const before = await agency().asked();
    const asked = async (end: string) =>
      (await agency().sandbox.requests()).slice(before).filter(({ path }) => path.endsWith(end)).length;
    await n8n.begin();
    await until('the comparison', async () => (await asked('/events')) > 0);
    await n8n.isIdle();
    return await asked('/test');
  };
  expect(await saves()).toBe(1);
  expect(await saves()).toBe(0);
  await n8n.unpublish();
}, 60_000);

test('a test call that does not arrive is not asked for again with each page of the feed', async () => {
  const n8n = n8nWith({ parameters: { events: ['company.updated'] } });
  await n8n.publish();
  await agency().sandbox.call({ method: 'POST', path: `/webhook-endpoints/${idOf(n8n.stored)}/test` });
  await n8n.stop();
  await agency().sandbox.control('events', { count: 12 * 200, type: 'document.received' });
  const before = await agency().asked();
  const asked = async (end: string) =>
    (await agency().sandbox.requests()).slice(before).filter(({ path }) => path.endsWith(end)).length;
  const compare = async (minutes: number) => {
    skipTime(minutes * 60_000);
    n8n.trigger?.tick();
    await n8n.isIdle();
  };
  await n8n.startTriggerAlone();
  await until('the whole feed to be read', async () => (await asked('/events')) > 12);
  expect(await asked('/test')).toBe(1);
  // This process takes calls, so it tries again, but not within a few minutes.
  await compare(11);
  expect(await asked('/test')).toBe(2);
  n8n.isOn = true;
  await compare(11);
  await compare(11);
  expect(await asked('/test')).toBe(3);
  await n8n.unpublish();
}, 60_000);

test.each([
  ['n8n does not answer', () => receiver().answer(() => undefined)],
  ['the agency refuses', async () => await agency().sandbox.control('faults', [REFUSED_TESTS])],
])(
  'a test call that %s ends no comparison',
  async (_, begin) => {
    const n8n = n8nWith({ parameters: { events: ['company.updated'] } });
    await n8n.publish();
    await begin();
    await agency().sandbox.control('events', { count: 7 * 200, type: 'document.received' });
    const before = await agency().asked();
    const asked = async (end: string) =>
      (await agency().sandbox.requests()).slice(before).filter(({ path }) => path.endsWith(end)).length;
    skipTime(11 * 60_000);
    n8n.trigger?.tick();
    await until('the whole feed to be read', async () => (await asked('/events')) > 7, 30_000);
    expect(await asked('/test')).toBeGreaterThan(0);
    expect(n8n.host.warnings).toEqual([]);
    await n8n.unpublish();
  },
  60_000,
);

test('a comparison in which nothing happened takes two requests', async () => {
  const n8n = n8nWith();
  await n8n.publish();
  await occur(3);
  await n8n.expectEachOnce(3);
  const ask = async () => {
    const before = await agency().asked();
    n8n.trigger?.tick();
    await n8n.isIdle();
    return (await agency().sandbox.requests()).slice(before).map(({ method, path }) => `${method} ${path}`);
  };
  await until('the next comparison', async () => (await ask()).length > 0);
  let asked: string[] = [];
  await until('another one', async () => (asked = await ask()).length > 0);
  expect(asked.map((one) => one.replace(/we_[^/]+/, '<id>'))).toEqual([
    expect.stringMatching(/^PATCH .*\/webhook-endpoints\/<id>$/),
    expect.stringMatching(/^GET .*\/events$/),
  ]);
  await n8n.unpublish();
}, 60_000);

test("no node's data goes back: two triggers and a polling node in one workflow", async () => {
  const one = n8nWith({ parameters: { options: { feedComparisonInterval: 1 } } });
  const other = n8nWith({ ...one.stored, nodeId: 'node-other', nodeName: 'Other', webhookId: 'hook-other' });
  // Both nodes have the same column of the database.
  Object.defineProperty(other.stored, 'staticData', {
    get: () => one.stored.staticData,
    set: (data: string) => (one.stored.staticData = data),
  });
  const byPath = (path: string) => (path.includes('hook-other') ? other : one);
  receiver().answer(({ path, body, headers }, response) => {
    const { host, stored } = byPath(path);
    void host
      .deliver(stored, { headers, rawBody: Buffer.from(body) })
      .then(({ status }) => response.writeHead(status).end());
  });
  const poll = (position: number) => {
    const data = JSON.parse(one.stored.staticData);
    one.stored.staticData = JSON.stringify({ ...data, 'node:Poll': { position } });
  };
  await one.publish();
  await other.publish();
  poll(1);
  // While the first one goes on with the data of its start, the second is published anew, and the third moves on.
  await other.unpublish();
  await other.publish();
  poll(2);
  const renewed = idOf(other.stored);
  const first = idOf(one.stored);
  await agency().remove(first);
  await occur(12);
  await until('the first endpoint to be renewed', () => {
    one.trigger?.tick();
    return idOf(one.stored) !== first;
  });
  await one.expectEachOnce(12);
  await other.expectEachOnce(12);
  expect(idOf(other.stored)).toBe(renewed);
  expect(JSON.parse(one.stored.staticData)['node:Poll']).toEqual({ position: 2 });
  // Killed and started again.
  await one.stop();
  await other.stop();
  await one.begin();
  await other.begin();
  expect(
    agency()
      .endpoints()
      .map(({ id }) => id)
      .sort(),
  ).toEqual([idOf(one.stored), renewed].sort());
  await occur(5);
  await one.expectEachOnce(17);
  await other.expectEachOnce(17);
  await one.unpublish();
  await other.unpublish();
}, 90_000);

test.each([{}, { feedComparisonInterval: 0 }])(
  'an older secret that another node has put back is not believed, and the right one is saved again, with options %j',
  async (options) => {
    const n8n = n8nWith({ parameters: { options } });
    await n8n.publish();
    const older = n8n.stored.staticData;
    await n8n.unpublish();
    await n8n.publish();
    const id = idOf(n8n.stored);
    // A test that a person stops changes nothing about that.
    await (await n8n.host.listen(n8n.stored)).stop();
    n8n.stored.staticData = older;
    await occur(3);
    await n8n.expectEachOnce(3);
    expect(n8n.emitted()).toBe(0);
    await agency().sandbox.call({ method: 'POST', path: `/webhook-endpoints/${id}/test` });
    expect(idOf(n8n.stored)).toBe(id);
    await n8n.unpublish();
    expect(agency().endpoints()).toEqual([]);
  },
  60_000,
);

describe('a publication is refused, and nothing is created', () => {
  const refusal = async (changes: Partial<StoredWorkflow>) => {
    const n8n = n8nWith(changes);
    await expect(n8n.host.activate(n8n.stored)).rejects.toThrow();
    const [outcome] = await Promise.allSettled([n8n.host.activate(n8n.stored)]);
    expect(agency().endpoints()).toEqual([]);
    return outcome.status === 'rejected' ? String(outcome.reason.message) : '';
  };

  test('with a key that has no access to the event feed, unless the comparison is off', async () => {
    const key = await agency().sandbox.newKey(['webhooks:manage']);
    const credential = agency().credential(key);
    expect(await refusal({ credential })).toMatch(
      /add the scope events:read to the access of the key.*Check Feed Every \(Minutes\) to 0/,
    );
    const n8n = n8nWith({ credential, parameters: { options: { feedComparisonInterval: 0 } } });
    await n8n.publish();
    expect(agency().endpoints()).toHaveLength(1);
    await n8n.unpublish();
    // A test compares nothing.
    const { stop } = await n8n.host.listen(n8nWith({ credential }).stored);
    expect(agency().endpoints()).toHaveLength(1);
    await stop();
  });

  test.each([
    [
      { feedComparisonInterval: -1 },
      'Check Feed Every (Minutes) must be a whole number from 0 to 1440, not -1. Correct the number.',
    ],
    [
      { feedComparisonInterval: 'x' },
      'Check Feed Every (Minutes) must be a whole number from 0 to 1440, not "x". Correct the number.',
    ],
    [
      { recoveryWindow: 31 },
      'Recovery Window (Days) must be a whole number from 1 to 30, not 31. Correct the number.',
    ],
    [
      { recoveryWindow: 0.5 },
      'Recovery Window (Days) must be a whole number from 1 to 30, not 0.5. Correct the number.',
    ],
    [
      { recoveryWindow: '={{ undefined }}' },
      /^Recovery Window \(Days\) must be a whole number from 1 to 30, not/,
    ],
    [{ recoverUnpublished: '={{ undefined }}' }, /^Include Unpublished Time must be true or false, not/],
    [{ recoverUnpublished: null }, /^Include Unpublished Time must be true or false, not/],
    [
      { deduplicationHistorySize: 10 },
      /^Deduplication History Size must be a whole number from \d+ to 500000, not 10/,
    ],
  ])('with options %j', async (options, message) => {
    expect(await refusal({ parameters: { options } })).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    const n8n = n8nWith({ parameters: { options } });
    await expect(n8n.host.listen(n8n.stored)).rejects.toThrow(message);
    expect(agency().endpoints()).toEqual([]);
  });
});
