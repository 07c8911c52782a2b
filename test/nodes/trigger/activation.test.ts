import type { INodeParameters } from 'n8n-workflow';
import { DOCS } from '../../../nodes/shared/docs';
import { newRandom } from '../../../sandbox/seed/random';
import { useAgency } from '../../support/trigger/registered';
import { anEvent, signedCall } from '../../support/trigger/signing';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../../support/trigger/trigger';

const agency = useAgency();
const other = useAgency();

const workflow = (changes: Partial<StoredWorkflow> = {}) => storedWorkflow(agency().credential(), changes);

/** What activation shows: the message alone. Nothing is stored, and nothing is left at the agency. */
async function refusal(stored: StoredWorkflow): Promise<string> {
  const outcome = new Host().activate(stored).then(
    () => 'activated',
    (error: Error) => error.message,
  );
  const message = await outcome;
  expect(keptEndpoint(stored)).toBeUndefined();
  expect(agency().endpoints()).toEqual([]);
  expect(message).not.toContain(stored.credential.token);
  return message;
}

describe('an activation that cannot succeed says why and what to do', () => {
  test.each(['http://n8n.example', 'http://localhost:5678', 'n8n.example'])(
    'when n8n has the address %s',
    async (host) => {
      const asked = await agency().asked();
      const message = await refusal(workflow({ host }));
      expect(message).toContain(`is ${host}`);
      expect(message).toContain('but the agency delivers to https only');
      expect(message).toContain('WEBHOOK_URL');
      expect(message).toContain(`More help: ${DOCS.troubleshooting}`);
      expect(await agency().asked()).toBe(asked);
    },
  );

  test('when only the machine itself can reach n8n, and the agency is elsewhere', async () => {
    const credential = { address: 'https://agency.example', token: 'the-key' };
    const message = await refusal(workflow({ host: 'https://localhost:8443', credential }));
    expect(message).toContain('https://localhost:8443, which the agency cannot reach');
    expect(message).toContain('WEBHOOK_URL');
  });

  test('when the key may not manage webhooks', async () => {
    const key = await agency().sandbox.newKey(['documents:read', 'events:read']);
    const message = await refusal(workflow({ credential: agency().credential(key) }));
    expect(message).toMatch(/lacks the scope webhooks:manage.*administrator/);
  });

  test.each(['revoked', 'expired', 'foreign'] as const)('when the key is %s', async (name) => {
    const credential = agency().credential(agency().sandbox.keys[name]);
    expect(await refusal(workflow({ credential }))).toMatch(/API key.*Check both fields of the credential/);
  });

  test('when the plan of the agency has no API', async () => {
    await agency().sandbox.control('plan', { apiAccess: false });
    const message = await refusal(workflow());
    await agency().sandbox.control('plan', { apiAccess: true });
    expect(message).toMatch(/plan.*does not include.*administrator/i);
  });

  test('when the agency cannot be reached', async () => {
    const credential = { address: 'http://127.0.0.1:9', token: 'the-key' };
    const message = await refusal(workflow({ credential }));
    expect(message).toMatch(/http:\/\/127\.0\.0\.1:9 could not be reached.*Check the Agency Address/);
  });

  test.each([
    [45, '45 seconds'],
    [120, '2 minutes'],
  ])('when the agency takes no requests for %i seconds, at once', async (retryAfter, duration) => {
    const plan = { path: '/webhook-endpoints{,/*}', times: 2, fault: 'status', status: 429, retryAfter };
    await agency().sandbox.control('faults', [plan]);
    const start = Date.now();
    const message = await refusal(workflow());
    await agency().sandbox.control('faults', []);
    expect(message).toContain(`does not accept requests with this key for the next ${duration}`);
    expect(message).toContain(`The node waits for 10 seconds at most. Try again in ${duration}.`);
    expect(Date.now() - start).toBeLessThan(5000);
  });

  test('when the address of the agency is none', async () => {
    const credential = { address: 'the agency', token: 'the-key' };
    expect(await refusal(workflow({ credential }))).toMatch(/^Agency Address is not a web address.*https/);
  });

  test('when no event or company is chosen', async () => {
    const asked = await agency().asked();
    expect(await refusal(workflow({ parameters: { events: [] } }))).toBe(
      'Events is empty. Select at least one event.',
    );
    const companies = (...ids: string[]) => ({
      companies: 'selected',
      companyList: { values: ids.map((value) => ({ company: { __rl: true, mode: 'list', value } })) },
    });
    expect(await refusal(workflow({ parameters: companies() }))).toBe(
      'Selected Companies is empty. Add a company, or set Companies to all.',
    );
    expect(await refusal(workflow({ parameters: companies('company_1', ' ') }))).toBe(
      'Selected Companies 2 is empty. Select a company, or remove it.',
    );
    expect(await agency().asked()).toBe(asked);
  });
});

test("passes on what n8n itself throws, with its stack for n8n's log", async () => {
  const cause = new Error('The credential could not be decrypted.');
  const credential = {
    address: agency().sandbox.url,
    get token(): string {
      throw cause;
    },
  };
  const [outcome] = await Promise.allSettled([new Host().activate(workflow({ credential }))]);
  const { message, cause: passed } = outcome.status === 'rejected' ? outcome.reason : {};
  expect(message).toBe(cause.message);
  expect(passed).toBe(cause);
});

test('says which n8n is needed where the feed cannot be compared every minute', async () => {
  const host = new Host();
  host.takesTextCron = true;
  await expect(host.start(workflow())).rejects.toThrow(
    'n8n-nodes-accounting-agency needs n8n 1.105 or newer. Update n8n.',
  );
});

test('stays with the setting Always Output Data, of which n8n 2 asks no node, also when n8n starts', async () => {
  const host = new Host();
  const stored = workflow({ alwaysOutputData: true });
  await host.activate(stored);
  const endpoint = keptEndpoint(stored);
  await host.activate(stored, 'init');
  expect(keptEndpoint(stored)).toEqual(endpoint);
  expect(agency().endpoints()).toHaveLength(1);
});

describe('a credential that is changed while the workflow is active', () => {
  const calledWith = async (stored: StoredWorkflow, secret: unknown) => {
    const event = anEvent({ id: `evt_${Math.random()}` });
    return await new Host().call(stored, signedCall(JSON.stringify(event), String(secret), event.id));
  };

  test('to a key of another access: a new endpoint is made, the old one is named and no longer believed', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const old = keptEndpoint(stored);
    stored.credential = agency().credential(agency().sandbox.keys.other);
    await host.activate(stored, 'init');
    expect(host.warnings).toEqual([
      expect.stringMatching(new RegExp(`endpoint ${old?.id} .*so a new one is created`)),
    ]);
    expect(agency().endpoints()).toHaveLength(2);
    expect(await calledWith(stored, keptEndpoint(stored)?.secret)).toMatchObject({ status: 202 });
    expect(await calledWith(stored, old?.secret)).toMatchObject({ status: 401 });
    await host.deactivate(stored);
    expect(
      agency()
        .endpoints()
        .map(({ id }) => id),
    ).toEqual([old?.id]);
  });

  test('to a key of another access, and deactivated then: the old one is named and forgotten', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const old = keptEndpoint(stored);
    stored.credential = agency().credential(agency().sandbox.keys.other);
    await host.deactivate(stored);
    expect(host.warnings).toEqual([expect.stringContaining(String(old?.id))]);
    expect(host.warnings[0]).toMatch(/Remove it with .*"Webhook Endpoint: Delete".*a key of the access/);
    expect(keptEndpoint(stored)).toBeUndefined();
    expect(agency().endpoints()).toHaveLength(1);
  });

  test('to another agency: the endpoint there is new, the old one is named and left alone', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const old = keptEndpoint(stored);
    stored.credential = other().credential();
    const asked = await agency().asked();
    await host.activate(stored);
    expect(host.warnings).toEqual([expect.stringContaining(`${old?.id} of`)]);
    expect(host.warnings[0]).toContain('was created for');
    expect(host.warnings[0]).toContain(agency().sandbox.url);
    const paths = (await other().sandbox.requests()).map(({ path }) => path);
    expect(paths.filter((path) => path.includes(String(old?.id)))).toEqual([]);
    expect(other().endpoints()).toHaveLength(1);
    await host.deactivate(stored);
    expect(other().endpoints()).toEqual([]);
    expect(await agency().asked()).toBe(asked);
  });

  test('to another agency, and deactivated then: the old one is named and forgotten', async () => {
    const host = new Host();
    const stored = workflow();
    await host.activate(stored);
    const old = keptEndpoint(stored);
    stored.credential = other().credential();
    const asked = await other().asked();
    await host.deactivate(stored);
    expect(host.warnings).toEqual([expect.stringContaining(`${old?.id} of`)]);
    expect(host.warnings[0]).toContain(`was created for`);
    expect(await other().asked()).toBe(asked);
    expect(keptEndpoint(stored)).toBeUndefined();
    expect(agency().endpoints()).toHaveLength(1);
  });
});

test('keeps one endpoint at most through rounds of faults and kills, and none in the end', async () => {
  const stored = workflow();
  const live = () =>
    agency()
      .endpoints()
      .filter(({ url }) => !url.includes('/webhook-test/'));
  const seed = Date.now() % 2 ** 31;
  const { pick } = newRandom(seed);
  for (let round = 0; round < 15; round += 1) {
    const host = new Host(pick([true, false]));
    // Three are as many as one request is tried; a refusal is final at once.
    const fault = pick<object>([
      { fault: 'reset-before', times: pick([1, 3]) },
      { fault: 'reset-after', times: pick([1, 3]) },
      { fault: 'status', status: 403, code: 'FORBIDDEN', times: pick([1, 2, 5]) },
    ]);
    await agency().sandbox.control('faults', [{ path: '/webhook-endpoints{,/*}', ...fault }]);
    stored.parameters = pick<INodeParameters>([{}, { events: ['task.completed'] }]);
    const step = pick([
      async () => await host.activate(stored),
      async () => await host.activateAndDie(stored),
      async () => await host.deactivate(stored),
      async () => await (await host.listen(stored)).stop(),
    ]);
    await Promise.allSettled([step()]);
    expect({ seed, isOneAtMost: live().length <= 1 }).toEqual({ seed, isOneAtMost: true });
  }
  await agency().sandbox.control('faults', []);
  const host = new Host();
  await host.activate(stored);
  await host.deactivate(stored);
  expect({ seed, left: live() }).toEqual({ seed, left: [] });
}, 60_000);
