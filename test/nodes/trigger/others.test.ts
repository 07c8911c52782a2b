import { expectOnly, idOf, takesCalls, urlOf, useAgency } from '../../support/registered';
import { anEvent, signedCall } from '../../support/signing';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../../support/trigger';

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
      expect((await call(signed)).items).toEqual([{ json: event }]);
      await stop();
      await expectOnly(agency(), stored);
    }
    expect(stored.staticData).toBe(before);
  });

  test('works for a workflow that is not active', async () => {
    const { stop } = await new Host().listen(workflow());
    expect(agency().endpoints()).toHaveLength(1);
    await stop();
    expect(agency().endpoints()).toEqual([]);
  });
});
