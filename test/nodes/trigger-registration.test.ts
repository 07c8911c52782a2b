import { Agency } from '../support/agency';
import { anEvent, signedCall } from '../support/signing';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../support/trigger';

let agency: Agency;

beforeAll(async () => {
  agency = await Agency.start();
});

afterAll(async () => await agency.stop());

beforeEach(async () => {
  await agency.control('faults', []);
  for (const { id } of agency.endpoints()) await agency.api('DELETE', `/webhook-endpoints/${id}`);
});

const workflow = (changes: Partial<StoredWorkflow> = {}) => storedWorkflow(agency.credential(), changes);
const urlOf = ({ host, webhookId }: StoredWorkflow) => `${host}/webhook/${webhookId}/webhook`;
const chosen = (...eventTypes: string[]) => ({ events: 'chosen', eventTypes });
const idOf = (stored: StoredWorkflow) => String(keptEndpoint(stored)?.id);

/** Whether the workflow takes what is signed with the secret that it keeps. */
async function takesCalls(stored: StoredWorkflow): Promise<boolean> {
  const [type = 'document.received'] = [stored.parameters.eventTypes ?? []].flat().map(String);
  const event = anEvent({ id: `evt_${Math.random()}`, type });
  const call = signedCall(JSON.stringify(event), String(keptEndpoint(stored)?.secret), event.id);
  return (await new Host().call(stored, call)).items !== undefined;
}

/** Activated, with one endpoint at the agency, set like this. */
async function expectOne(stored: StoredWorkflow, eventTypes = ['*']): Promise<void> {
  const endpoint = { id: idOf(stored), url: urlOf(stored), eventTypes, enabled: true };
  expect(agency.endpoints()).toEqual([endpoint]);
  expect(await takesCalls(stored)).toBe(true);
}

describe('one endpoint', () => {
  it('is there while the workflow is active, however often that is repeated', async () => {
    const host = new Host();
    const stored = workflow();
    for (let round = 1; round <= 5; round += 1) {
      await host.activate(stored);
      await expectOne(stored);
      await host.activate(stored, 'update');
      await expectOne(stored);
      await host.deactivate(stored);
      expect(agency.endpoints()).toEqual([]);
      expect(keptEndpoint(stored)).toBeUndefined();
    }
    await host.deactivate(stored);
    expect(agency.endpoints()).toEqual([]);
  });

  it('gets other events when the node is set to others', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const first = idOf(stored);
    stored.parameters = chosen('task.completed', 'webhook.test');
    await host.activate(stored, 'update');
    await expectOne(stored, ['task.completed', 'webhook.test']);
    expect(idOf(stored)).toBe(first);

    await host.deactivate(stored);
    stored.parameters = chosen('document.received');
    await host.activate(stored);
    await expectOne(stored, ['document.received']);
  });

  it('is put right when it was paused or changed elsewhere', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    const changes = { enabled: false, url: 'https://elsewhere.example/', eventTypes: ['task.completed'] };
    await agency.api('PATCH', `/webhook-endpoints/${id}`, changes);
    await host.activate(stored, 'init');
    await expectOne(stored);
    expect(idOf(stored)).toBe(id);
  });

  it('is made anew when it is gone', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    await agency.api('DELETE', `/webhook-endpoints/${id}`);
    await host.activate(stored, 'init');
    await expectOne(stored);
    expect(idOf(stored)).not.toBe(id);
  });

  it.each([
    [401, 'INVALID_API_KEY', 'does not accept the API key'],
    [403, 'FORBIDDEN', 'does not allow this'],
    [500, 'INTERNAL_ERROR', 'a fault on its side'],
  ])('is not made a second time when %i keeps from looking for it', async (status, code, said) => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    await agency.fault('PATCH', 20, { status, code });
    await expect(host.activate(stored)).rejects.toThrow(said);
    expect(agency.endpoints().length).toBeLessThanOrEqual(1);
    await agency.control('faults', []);
    await host.activate(stored);
    await expectOne(stored);
  });

  it('is left behind by no activation that is refused', async () => {
    for (const host of [new Host(), new Host(true)]) {
      const stored = workflow({ parameters: chosen('task.completed') });
      await agency.fault('PATCH', 20, { status: 403, code: 'FORBIDDEN' });
      await expect(host.activate(stored)).rejects.toThrow('does not allow this');
      expect(agency.endpoints()).toEqual([]);
      expect(keptEndpoint(stored)).toBeUndefined();
      await agency.control('faults', []);
      await host.activate(stored);
      await expectOne(stored, ['task.completed']);
      await host.deactivate(stored);
    }
  });
});

describe('one endpoint although n8n or the connection broke off', () => {
  it('between the answer and the save', async () => {
    const host = new Host();
    const stored = workflow();
    for (let kills = 0; kills < 3; kills += 1) await host.activateAndDie(stored);
    expect(agency.endpoints()).toHaveLength(1);
    await host.activate(stored, 'init');
    await expectOne(stored);
    await host.deactivate(stored);
    expect(agency.endpoints()).toEqual([]);
  });

  it('and other events were chosen before the next start', async () => {
    const host = new Host();
    const stored = workflow({ parameters: chosen('document.received') });
    await host.activateAndDie(stored);
    stored.parameters = chosen('company.updated', 'task.completed');
    await host.activate(stored);
    await expectOne(stored, ['company.updated', 'task.completed']);
  });

  it('and it was removed at the agency before the next start', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activateAndDie(stored);
    for (const { id } of agency.endpoints()) await agency.api('DELETE', `/webhook-endpoints/${id}`);
    await host.activate(stored);
    await expectOne(stored);
  });

  it('after the agency had made it, on every attempt', async () => {
    for (const host of [new Host(), new Host(true)]) {
      const stored = workflow();
      await agency.fault('POST', 20, { fault: 'reset-after' });
      await expect(host.activate(stored)).rejects.toThrow('could not be reached');
      await agency.control('faults', []);
      await host.activate(stored);
      await expectOne(stored);
      await host.deactivate(stored);
    }
  }, 30_000);

  it('and neither setting nor removing it was possible', async () => {
    const host = new Host();
    const stored = workflow({ parameters: chosen('task.completed') });
    const planned = { path: '/webhook-endpoints/*', times: 50, fault: 'status', status: 500 };
    await agency.control('faults', [planned]);
    await expect(host.activate(stored)).rejects.toThrow('a fault on its side');
    expect(agency.endpoints()).toHaveLength(1);
    await agency.control('faults', []);
    await host.activate(stored);
    await expectOne(stored, ['task.completed']);
  }, 30_000);

  it('after it was removed, before that was saved', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const before = stored.staticData;
    await host.deactivate(stored);
    stored.staticData = before;
    await host.activate(stored);
    await expectOne(stored);
  });

  it('and what the node kept was lost, e.g. by a rename', async () => {
    const host = new Host();
    const stored = workflow();
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await host.activate(stored);
      await host.deactivate(stored);
    }
    await host.activate(stored);
    stored.nodeName = 'Renamed';
    await host.activate(stored);
    await expectOne(stored);
  });
});

describe('the removal', () => {
  it('is done when the agency does not know the endpoint', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    await agency.api('DELETE', `/webhook-endpoints/${idOf(stored)}`);
    await host.deactivate(stored);
    expect(keptEndpoint(stored)).toBeUndefined();
  });

  it('is tried again by n8n when the agency cannot do it, and nothing is forgotten until then', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    await agency.fault('DELETE', 20, { status: 500 });
    await expect(host.deactivate(stored)).rejects.toThrow('a fault on its side');
    expect(idOf(stored)).toBe(id);
    await agency.control('faults', []);
    await host.deactivate(stored);
    expect(agency.endpoints()).toEqual([]);
    expect(keptEndpoint(stored)).toBeUndefined();
  });
});

describe('the endpoint of another workflow', () => {
  it('is not touched by a copy that came with what the node keeps', async () => {
    const host = new Host();
    const original = workflow();
    await host.activate(original);
    const copy = workflow({ nodeId: original.nodeId, staticData: original.staticData });
    await host.deactivate(copy);
    await expectOne(original);

    copy.staticData = original.staticData;
    await host.activate(copy);
    expect(
      agency
        .endpoints()
        .map(({ url }) => url)
        .sort(),
    ).toEqual([urlOf(original), urlOf(copy)].sort());
    expect(idOf(copy)).not.toBe(idOf(original));
    expect(await takesCalls(copy)).toBe(true);
    await host.deactivate(copy);
    await expectOne(original);
  });

  it('is not touched by the same workflow in another n8n', async () => {
    const host = new Host();
    const live = workflow();
    await host.activate(live);
    const trial = { ...live, host: 'https://trial.example' };
    await host.activate(trial);
    expect(agency.endpoints()).toHaveLength(2);
    await host.deactivate(trial);
    await expectOne(live);
  });

  it('is not touched by anything that can stand in the static data', async () => {
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
      await expectOne(stored);
      await host.deactivate(stored);
    }
  });
});

describe('a test', () => {
  it('has an endpoint of its own, leaves nothing behind, and the running workflow alone', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const before = stored.staticData;
    for (let tests = 0; tests < 3; tests += 1) {
      const { test, call, stop } = await host.listen(stored);
      const urls = agency.endpoints().map(({ url }) => url);
      expect(urls.sort()).toEqual(
        [urlOf(stored), urlOf(stored).replace('/webhook/', '/webhook-test/')].sort(),
      );
      const event = anEvent({ id: `evt_test_${tests}` });
      const signed = signedCall(JSON.stringify(event), String(keptEndpoint(test)?.secret), event.id);
      expect((await call(signed)).items).toEqual([{ json: event }]);
      await stop();
      await expectOne(stored);
    }
    expect(stored.staticData).toBe(before);
  });

  it('works for a workflow that is not active', async () => {
    const { stop } = await new Host().listen(workflow());
    expect(agency.endpoints()).toHaveLength(1);
    await stop();
    expect(agency.endpoints()).toEqual([]);
  });
});
