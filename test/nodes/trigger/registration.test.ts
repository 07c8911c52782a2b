import { expectOnly, idOf, useAgency } from '../../support/trigger/registered';
import { anEvent, signedCall } from '../../support/trigger/signing';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../../support/trigger/trigger';

const agency = useAgency();

const workflow = (changes: Partial<StoredWorkflow> = {}) => storedWorkflow(agency().credential(), changes);
const chosen = (...events: string[]) => ({ events });

describe('one endpoint', () => {
  test('is there while the workflow is active, however often that is repeated', async () => {
    const host = new Host();
    const stored = workflow();
    for (let round = 1; round <= 5; round += 1) {
      await host.activate(stored);
      await expectOnly(agency(), stored);
      await host.activate(stored, 'update');
      await expectOnly(agency(), stored);
      await host.deactivate(stored);
      expect(agency().endpoints()).toEqual([]);
      expect(keptEndpoint(stored)).toBeUndefined();
    }
    await host.deactivate(stored);
    expect(agency().endpoints()).toEqual([]);
  });

  test('gets other events when the node is set to others', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const first = idOf(stored);
    stored.parameters = chosen('task.completed', 'webhook.test');
    await host.activate(stored, 'update');
    await expectOnly(agency(), stored, ['task.completed', 'webhook.test']);
    expect(idOf(stored)).toBe(first);

    await host.deactivate(stored);
    stored.parameters = chosen('document.received');
    await host.activate(stored);
    await expectOnly(agency(), stored, ['document.received']);
  });

  test('is put right when it was paused or changed elsewhere', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    const changes = { enabled: false, url: 'https://elsewhere.example/', eventTypes: ['task.completed'] };
    await agency().change(id, changes);
    await host.activate(stored, 'init');
    await expectOnly(agency(), stored);
    expect(idOf(stored)).toBe(id);
  });

  test('is made anew when it is gone', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    await agency().remove(id);
    await host.activate(stored, 'init');
    await expectOnly(agency(), stored);
    expect(idOf(stored)).not.toBe(id);
  });

  test('is made by one request each time, also after others were removed, here or at the agency', async () => {
    const host = new Host();
    const stored = workflow();
    const before = await agency().asked();
    await host.activate(stored);
    for (let removed = 0; removed < 2; removed += 1) {
      await agency().remove(idOf(stored));
      await host.activate(stored, 'init');
    }
    for (let removed = 0; removed < 2; removed += 1) {
      await host.deactivate(stored);
      await host.activate(stored);
    }
    const asked = (await agency().sandbox.requests()).slice(before);
    expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(5);
    // Whether the key may read the feed, one event shows.
    const looks = asked.filter(({ method }) => method === 'GET');
    expect(looks.map(({ query }) => String(query.limit))).toEqual(['1', '1', '1']);
    await expectOnly(agency(), stored);
  });

  test.each([
    [401, 'INVALID_API_KEY', 'does not accept the API key'],
    [403, 'FORBIDDEN', 'does not allow this'],
    [500, 'INTERNAL_ERROR', 'an internal error'],
  ])('is not made a second time when %i keeps from looking for it', async (status, code, said) => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    await agency().fault('PATCH', 20, { status, code });
    await expect(host.activate(stored)).rejects.toThrow(said);
    expect(agency().endpoints().length).toBeLessThanOrEqual(1);
    await agency().sandbox.control('faults', []);
    await host.activate(stored);
    await expectOnly(agency(), stored);
  });

  test('is left behind by no activation that is refused', async () => {
    for (const host of [new Host(), new Host(true)]) {
      const stored = workflow({ parameters: chosen('task.completed') });
      await agency().fault('PATCH', 20, { status: 403, code: 'FORBIDDEN' });
      await expect(host.activate(stored)).rejects.toThrow('does not allow this');
      expect(agency().endpoints()).toEqual([]);
      expect(keptEndpoint(stored)).toBeUndefined();
      await agency().sandbox.control('faults', []);
      await host.activate(stored);
      await expectOnly(agency(), stored, ['task.completed']);
      await host.deactivate(stored);
    }
  });
});

describe('one endpoint although n8n or the connection broke off', () => {
  test('between the answer and the save', async () => {
    const host = new Host();
    const stored = workflow();
    for (let kills = 0; kills < 3; kills += 1) await host.activateAndDie(stored);
    expect(agency().endpoints()).toHaveLength(1);
    await host.activate(stored, 'init');
    await expectOnly(agency(), stored);
    await host.deactivate(stored);
    expect(agency().endpoints()).toEqual([]);
  });

  test('and other events were chosen before the next start', async () => {
    const host = new Host();
    const stored = workflow({ parameters: chosen('document.received') });
    await host.activateAndDie(stored);
    stored.parameters = chosen('company.updated', 'task.completed');
    await host.activate(stored);
    await expectOnly(agency(), stored, ['company.updated', 'task.completed']);
  });

  test('and it was removed at the agency before the next start', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activateAndDie(stored);
    for (const { id } of agency().endpoints()) await agency().remove(id);
    await host.activate(stored);
    await expectOnly(agency(), stored);
  });

  test('after the agency had made it, on every attempt', async () => {
    for (const host of [new Host(), new Host(true)]) {
      const stored = workflow();
      await agency().fault('POST', 20, { fault: 'reset-after' });
      await expect(host.activate(stored)).rejects.toThrow('could not be reached');
      await agency().sandbox.control('faults', []);
      await host.activate(stored);
      await expectOnly(agency(), stored);
      await host.deactivate(stored);
    }
  }, 30_000);

  test('and neither setting nor removing it was possible', async () => {
    const host = new Host();
    const stored = workflow({ parameters: chosen('task.completed') });
    const planned = { path: '/webhook-endpoints/*', times: 50, fault: 'status', status: 500 };
    await agency().sandbox.control('faults', [planned]);
    for (let attempts = 0; attempts < 2; attempts += 1) {
      await expect(host.activate(stored)).rejects.toThrow('an internal error');
      expect(agency().endpoints()).toHaveLength(1);
    }
    await agency().sandbox.control('faults', []);
    await host.activate(stored);
    await expectOnly(agency(), stored, ['task.completed']);
  }, 30_000);

  test('after it was removed, before that was saved', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const before = stored.staticData;
    await host.deactivate(stored);
    stored.staticData = before;
    await host.activate(stored);
    await expectOnly(agency(), stored);
  });

  test('and what the node kept was lost, e.g. by a rename', async () => {
    const host = new Host();
    const stored = workflow();
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await host.activate(stored);
      await host.deactivate(stored);
    }
    await host.activate(stored);
    stored.nodeName = 'Renamed';
    await host.activate(stored);
    await expectOnly(agency(), stored);
  });
});

describe('when the agency refuses to look for it as n8n starts', () => {
  const refused = async (stored: StoredWorkflow) => {
    await new Host().activate(stored);
    await agency().fault('PATCH', 20, { status: 403, code: 'FORBIDDEN' });
    return stored.staticData;
  };

  test.each(['init', 'leadershipChange'] as const)(
    'the node believes in it until the comparison looks for it again: %s',
    async (activation) => {
      const host = new Host();
      const stored = workflow();
      const before = await refused(stored);
      await host.activate(stored, activation);
      expect(host.warnings).toEqual([
        expect.stringMatching(/could not check or create .*every minute: .*does not allow this/),
      ]);
      expect(stored.staticData).toBe(before);
    },
  );

  test('the start fails when there is no comparison that would look for it again', async () => {
    const host = new Host();
    const stored = workflow({ parameters: { options: { feedComparisonInterval: 0 } } });
    await refused(stored);
    await expect(host.activate(stored, 'init')).rejects.toThrow('does not allow this');
    expect(host.warnings).toEqual([]);
  });
});

describe("n8n's log", () => {
  test('names each endpoint that is made, by its ID and without its secret, and says nothing else', async () => {
    const host = new Host();
    const stored = workflow({ nodeName: 'When something happens' });
    await host.activate(stored);
    await host.activate(stored, 'init');
    const first = keptEndpoint(stored);
    await host.deactivate(stored);
    await host.activate(stored);
    const second = keptEndpoint(stored);
    const { test: listening, stop } = await host.listen(stored);
    const third = keptEndpoint(listening);
    await stop();
    expect(host.infos).toEqual(
      [first, second, third].map((kept) => expect.stringContaining(` has the webhook endpoint ${kept?.id} `)),
    );
    const [said, , saidOfTest] = host.infos;
    expect(said).toContain(`node "When something happens" of workflow "Test" (${stored.id})`);
    expect(saidOfTest).toMatch(/for a test\.$/);
    for (const kept of [first, second, third]) {
      const secret = String(kept?.secret).replace('whsec_', '');
      expect(host.infos.join('\n')).not.toContain(secret);
    }
    expect(host.warnings).toEqual([]);
  });
});

describe('the removal', () => {
  test('is done when the agency does not know the endpoint, which is said', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    await agency().remove(id);
    await host.deactivate(stored);
    expect(keptEndpoint(stored)).toBeUndefined();
    expect(host.warnings).toEqual([
      expect.stringMatching(new RegExp(`has no webhook endpoint ${id} .*so none is removed`)),
    ]);
    await host.deactivate(stored);
    expect(host.warnings).toHaveLength(1);
  });

  test('ends what its secret proves', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const { secret } = keptEndpoint(stored) ?? {};
    await host.deactivate(stored);
    const call = signedCall(JSON.stringify(anEvent({ id: 'evt_removed' })), String(secret), 'evt_removed');
    expect(await host.call(stored, call)).toMatchObject({ status: 401, items: undefined });
  });

  test('is tried again by n8n when the agency cannot do it, and nothing is forgotten until then', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const id = idOf(stored);
    await agency().fault('DELETE', 20, { status: 500 });
    await expect(host.deactivate(stored)).rejects.toThrow('an internal error');
    expect(idOf(stored)).toBe(id);
    await agency().sandbox.control('faults', []);
    await host.deactivate(stored);
    expect(agency().endpoints()).toEqual([]);
    expect(keptEndpoint(stored)).toBeUndefined();
  });
});
