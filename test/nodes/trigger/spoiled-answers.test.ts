import { loadEngine } from '../../support/engine';
import { passTimeFaster } from '../../support/time/fast-time';
import { expectOnly, idOf, useAgency } from '../../support/trigger/registered';
import { SPOILINGS, type Spoiling, SpoilingProxy } from '../../support/proxies/spoiling-proxy';
import { Host, keptEndpoint, type StoredWorkflow, storedWorkflow } from '../../support/trigger/trigger';

const agency = useAgency();
let proxy: SpoilingProxy;

beforeAll(async () => {
  await loadEngine();
  passTimeFaster(20);
  proxy = await SpoilingProxy.start(agency().sandbox.url);
});
beforeEach(() => proxy.spoil());
afterAll(async () => {
  jest.restoreAllMocks();
  await proxy.close();
});

const EVENTS = ['document.received'];
const NOTHING = ['an empty body', 'no content', '{}', '{"status":"ok"}'];
const ALWAYS = Number.POSITIVE_INFINITY;

const workflow = () =>
  storedWorkflow(
    { address: proxy.address, token: agency().sandbox.keys.full },
    { parameters: { events: EVENTS } },
  );

async function published(): Promise<StoredWorkflow> {
  const stored = workflow();
  await new Host().activate(stored);
  return stored;
}

async function expectOneInTheEnd(stored: StoredWorkflow): Promise<void> {
  proxy.spoil();
  await new Host().activate(stored);
  await expectOnly(agency(), stored, EVENTS);
}

/** The requests of a publication, and whether it is the first one. */
const REQUESTS: Array<[string, RegExp, boolean]> = [
  ['the look into the event feed', /^GET \/events$/, true],
  ['creating the endpoint', /^POST \/webhook-endpoints$/, true],
  ['setting its events', /^PATCH/, true],
  ['looking for the endpoint', /^PATCH/, false],
];

describe.each(REQUESTS)('a publication, when %s', (_, request, isFirst) => {
  const start = async () => (isFirst ? workflow() : await published());

  const isChange = request.source.startsWith('^PATCH');
  // What a change is answered with is not shown, so nothing is no refusal: the deliveries show the endpoint.
  const [taken, refused] = [true, false].map((isTaken) =>
    Object.entries(SPOILINGS).filter(([name]) => (isChange && NOTHING.includes(name)) === isTaken),
  );

  if (isChange) {
    test.each(taken ?? [])('is always answered with %s, succeeds', async (_name, answer) => {
      const stored = await start();
      proxy.spoil({ request, times: ALWAYS, answer });
      await new Host().activate(stored);
      await expectOnly(agency(), stored, EVENTS);
    });

    test('is answered with nothing, and so is the look at the deliveries, fails by name', async () => {
      const stored = await start();
      const answer = SPOILINGS['no content'];
      if (answer === undefined) throw new Error('There is no such answer.');
      proxy.spoil({ request: /^PATCH|deliveries$/, times: ALWAYS, answer });
      await expect(new Host().activate(stored)).rejects.toThrow(/not from the agency's API/);
      await expectOneInTheEnd(stored);
    });
  }

  test.each(refused ?? [])('is always answered with %s, fails by name', async (_name, answer) => {
    const stored = await start();
    const kept = keptEndpoint(stored);
    proxy.spoil({ request, times: ALWAYS, answer });
    await expect(new Host().activate(stored)).rejects.toThrow(
      new RegExp(`${proxy.address}.*(not from the agency's API|could not be reached)`),
    );
    expect(agency().endpoints().length).toBeLessThanOrEqual(1);
    if (!isFirst) expect(kept).toBeDefined();
    await expectOneInTheEnd(stored);
  });

  test('is answered once with each of them, succeeds with one endpoint', async () => {
    for (const [name, answer] of Object.entries(SPOILINGS)) {
      const stored = await start();
      proxy.spoil({ request, times: 1, answer });
      const activate = async () => await Promise.allSettled([new Host().activate(stored)]);
      let [outcome] = await activate();
      // A request that took all the time that n8n has for a publication is left to n8n's own next attempt.
      if (name.endsWith('silence') && outcome?.status === 'rejected') [outcome] = await activate();
      expect([name, outcome]).toEqual([name, { status: 'fulfilled', value: undefined }]);
      await expectOnly(agency(), stored, EVENTS);
      await new Host().deactivate(stored);
    }
  });
});

describe('a secret that the agency shows only once, so that a repeated creation is answered without it', () => {
  const secretOnce: Spoiling['answer'] = (response, body, headers) => {
    const { secret, ...others } = JSON.parse(body.toString());
    const isReplay = headers['idempotent-replayed'] === 'true';
    response.writeHead(201, headers).end(JSON.stringify(isReplay ? others : { ...others, secret }));
  };
  const request = /^POST \/webhook-endpoints$/;

  test.each([1, 3])('makes way for one that can be used, after n8n was killed %i times', async (kills) => {
    const stored = workflow();
    proxy.spoil({ request, times: ALWAYS, answer: secretOnce });
    for (let killed = 0; killed < kills; killed += 1) {
      await new Host().activateAndDie(stored);
      expect(agency().endpoints()).toHaveLength(1);
    }
    await new Host().activate(stored);
    await expectOnly(agency(), stored, EVENTS);
    await new Host().deactivate(stored);
    expect(agency().endpoints()).toEqual([]);
    await new Host().activate(stored);
    await expectOnly(agency(), stored, EVENTS);
  });

  test.each([true, false])(
    'makes way after its first answer broke off, if for a test: %s',
    async (isTest) => {
      const stored = workflow();
      let answers = 0;
      const answer: Spoiling['answer'] = (response, body, headers) => {
        answers += 1;
        if (answers === 1) response.destroy();
        else secretOnce(response, body, headers);
      };
      proxy.spoil({ request, times: ALWAYS, answer });
      if (isTest) {
        const listening = await new Host().listen(stored);
        expect(agency().endpoints()).toEqual([expect.objectContaining({ id: idOf(listening.test) })]);
        await listening.stop();
        expect(agency().endpoints()).toEqual([]);
      } else {
        await new Host().activate(stored);
        await expectOnly(agency(), stored, EVENTS);
      }
      expect(answers).toBe(3);
    },
  );

  test('is left for the next attempt while it cannot be removed', async () => {
    const stored = workflow();
    await new Host().activateAndDie(stored);
    proxy.spoil({ request, times: ALWAYS, answer: secretOnce });
    await agency().sandbox.control('faults', [
      { method: 'DELETE', path: '/**', times: 100, fault: 'status', status: 503 },
    ]);
    await expect(new Host().activate(stored)).rejects.toThrow();
    expect(agency().endpoints()).toHaveLength(1);
    await agency().sandbox.control('faults', []);
    await new Host().activate(stored);
    await expectOnly(agency(), stored, EVENTS);
  });
});

describe('unpublishing, when the removal', () => {
  // The agency's own answer has no body, so there is no half of it.
  const spoilings = Object.entries(SPOILINGS).filter(([name]) => !name.startsWith('half'));

  test.each(spoilings)(
    'is always answered with %s, leaves no endpoint, and forgets none by mistake',
    async (name, answer) => {
      const stored = await published();
      const id = idOf(stored);
      proxy.spoil({ request: /^DELETE/, times: ALWAYS, answer });
      const [outcome] = await Promise.allSettled([new Host().deactivate(stored)]);
      // Only an answer of nothing can be one to a removal.
      expect([name, outcome.status]).toEqual([name, NOTHING.includes(name) ? 'fulfilled' : 'rejected']);
      expect(keptEndpoint(stored)?.id).toBe(NOTHING.includes(name) ? undefined : id);
      proxy.spoil();
      await new Host().deactivate(stored);
      expect([keptEndpoint(stored), agency().endpoints()]).toEqual([undefined, []]);
    },
  );
});

describe('a start of n8n', () => {
  test.each(Object.entries(SPOILINGS))(
    'with every answer replaced by %s, forgets nothing',
    async (_name, answer) => {
      const stored = await published();
      const before = stored.staticData;
      proxy.spoil({ request: /./, times: ALWAYS, answer });
      const host = new Host();
      await host.activate(stored, 'init');
      expect(host.warnings).toEqual([
        expect.stringContaining('could not check or create its webhook endpoint'),
      ]);
      expect(stored.staticData).toBe(before);
      await expectOneInTheEnd(stored);
    },
  );
});
