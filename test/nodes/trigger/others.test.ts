import { expectOnly, idOf, takesCalls, urlOf, useAgency } from '../../support/trigger/registered';
import { anEvent, signedCall } from '../../support/trigger/signing';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../../support/trigger/trigger';

const agency = useAgency();

const workflow = (changes: Partial<StoredWorkflow> = {}) => storedWorkflow(agency().credential(), changes);

describe('the endpoint of another workflow', () => {
  test('is not touched by a copy that came with what the node keeps', async () => {
    const host = new Host();
    const original = workflow();
    await host.activate(original);
    const copy = workflow({ nodeId: original.nodeId, staticData: original.staticData });
    await host.deactivate(copy);
    await expectOnly(agency(), original);

    copy.staticData = original.staticData;
    await host.activate(copy);
    expect(
      agency()
        .endpoints()
        .map(({ url }) => url)
        .sort(),
    ).toEqual([urlOf(original), urlOf(copy)].sort());
    expect(idOf(copy)).not.toBe(idOf(original));
    expect(await takesCalls(copy)).toBe(true);
    await host.deactivate(copy);
    await expectOnly(agency(), original);
  });

  test('is not touched by a copy that has its address as well', async () => {
    const host = new Host();
    const original = workflow();
    await host.activate(original);
    const { nodeId, webhookId, staticData } = original;
    await host.deactivate(workflow({ nodeId, webhookId, staticData }));
    await expectOnly(agency(), original);
  });

  test('is not touched by the same workflow in another n8n', async () => {
    const host = new Host();
    const live = workflow();
    await host.activate(live);
    const trial = { ...live, host: 'https://trial.example' };
    await host.activate(trial);
    expect(agency().endpoints()).toHaveLength(2);
    await host.deactivate(trial);
    await expectOnly(agency(), live);
  });

  test('is not touched by anything that can stand in the static data', async () => {
    const host = new Host();
    for (const kept of [
      { endpoint: [] },
      { endpoint: { id: '..' }, generation: 'x' },
      { generation: 1e300 },
    ]) {
      const stored = workflow();
      stored.staticData = JSON.stringify({ [`node:${stored.nodeName}`]: kept });
      await host.deactivate(stored);
      await host.activate(stored);
      await expectOnly(agency(), stored);
      await host.deactivate(stored);
    }
  });
});

describe.each([[[]], [5], ['x'], [null]])('static data that is %j', (kept) => {
  test('counts as none: published, one endpoint is there and believed; unpublished, none', async () => {
    const host = new Host();
    const stored = workflow();
    stored.staticData = JSON.stringify({ [`node:${stored.nodeName}`]: kept });
    for (let round = 0; round < 2; round += 1) {
      await host.activate(stored);
      await host.activate(stored, 'init');
      expect(agency().endpoints()).toEqual([expect.objectContaining({ url: urlOf(stored) })]);
      const [secret] = /whsec_[^"]+/.exec(stored.staticData) ?? [];
      const event = anEvent({ id: `evt_${Math.random()}` });
      const call = signedCall(JSON.stringify(event), String(secret), event.id);
      expect((await host.call(stored, call)).items).toHaveLength(1);
      await host.deactivate(stored);
      expect(agency().endpoints()).toEqual([]);
    }
    expect(host.warnings).toEqual([]);
  });
});

test('events are a set: another order, or one of them twice, changes nothing', async () => {
  const host = new Host();
  const types = ['task.completed', 'document.received'];
  const stored = workflow({ parameters: { events: types } });
  await host.activate(stored);
  const id = idOf(stored);
  for (const events of [[...types].reverse(), [...types, ...types]]) {
    stored.parameters = { events };
    const before = stored.staticData;
    await host.activate(stored, 'update');
    await expectOnly(agency(), stored, ['document.received', 'task.completed']);
    expect([idOf(stored), stored.staticData]).toEqual([id, before]);
  }
});

describe('a test', () => {
  test('has an endpoint of its own, leaves nothing behind, and the running workflow alone', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const before = stored.staticData;
    for (let tests = 0; tests < 3; tests += 1) {
      const { test, call, stop } = await host.listen(stored);
      const urls = agency()
        .endpoints()
        .map(({ url }) => url);
      expect(urls.sort()).toEqual(
        [urlOf(stored), urlOf(stored).replace('/webhook/', '/webhook-test/')].sort(),
      );
      const event = anEvent({ id: `evt_test_${tests}` });
      const signed = signedCall(JSON.stringify(event), String(keptEndpoint(test)?.secret), event.id);
      expect((await call(signed)).items).toEqual([
        {
          json: {
            ...event,
            arrival: { id: expect.any(String), source: 'webhook', endpointId: keptEndpoint(test)?.id },
          },
        },
      ]);
      await stop();
      await expectOnly(agency(), stored);
    }
    expect(stored.staticData).toBe(before);
    await host.deactivate(stored);
    expect(agency().endpoints()).toEqual([]);
  });

  test('works for a fresh node of a workflow that is not active', async () => {
    const { call, test, stop } = await new Host().listen(workflow({ parameters: {} }));
    expect(agency().endpoints()).toEqual([
      expect.objectContaining({ id: idOf(test), eventTypes: ['*'], enabled: true }),
    ]);
    const event = anEvent();
    const signed = signedCall(JSON.stringify(event), String(keptEndpoint(test)?.secret), event.id);
    expect((await call(signed)).items).toHaveLength(1);
    await stop();
    expect(agency().endpoints()).toEqual([]);
  });
});
