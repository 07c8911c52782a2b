import { setImmediate } from 'node:timers/promises';
import { anEvent, signedCall, signedHeaders, VECTOR_SECRET } from '../../support/trigger/signing';
import { Host, type HttpCall, type StoredWorkflow, storedWorkflow } from '../../support/trigger/trigger';

const CREDENTIAL = { address: 'https://agency.example', token: 'the-key' };
const REFUSED = { status: 401, body: { error: expect.any(String) }, isAnswered: true, items: undefined };
const STARTS_NOTHING = { status: 202, body: undefined, isAnswered: true, items: undefined };

/** A workflow that has been activated before. */
function activated(parameters: StoredWorkflow['parameters'] = {}, secret: unknown = VECTOR_SECRET) {
  const stored = storedWorkflow(CREDENTIAL, { parameters });
  const endpoint = {
    id: 'we_1',
    secret,
    workflowId: stored.id,
    url: `${stored.host}/webhook/${stored.webhookId}/webhook`,
    agency: CREDENTIAL.address,
    eventTypes: ['*'],
  };
  stored.staticData = JSON.stringify({ [`node:${stored.nodeName}`]: { endpoint, generation: 0 } });
  return stored;
}

/** The item of an event that was called in. */
const itemOf = (event: object) => ({
  json: { ...event, arrival: { id: expect.any(String), source: 'webhook', endpointId: 'we_1' } },
});

const json = (event: object) => {
  const { headers, rawBody } = signedCall(JSON.stringify(event));
  return { headers: { 'content-type': 'application/json', ...headers }, rawBody };
};

describe('a genuine call', () => {
  test('starts the workflow with the event as sent, and how it came', async () => {
    const event = anEvent({ id: 'evt_sent', data: { name: 'Müller', amounts: [12.5, null] } });
    const host = new Host();
    const { status, items } = await host.deliver(activated(), json(event));
    expect(status).toBe(202);
    expect(items).toEqual([itemOf(event)]);
    expect(host.ran).toEqual([itemOf(event).json]);
  });

  test('may have a body that n8n does not read itself', async () => {
    const event = anEvent({ id: 'evt_octets' });
    const { headers, rawBody } = json(event);
    const call: HttpCall = {
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      async readRawBody() {
        await setImmediate();
        this.rawBody = rawBody;
      },
    };
    expect((await new Host().call(activated(), call)).items).toEqual([itemOf(event)]);
  });

  test('of a type that this version does not know starts it when all events are chosen', async () => {
    const event = anEvent({ id: 'evt_unknown', type: 'invoice.paid' });
    expect((await new Host().call(activated(), json(event))).items).toEqual([itemOf(event)]);
    const chosen = activated({ events: ['task.completed'] });
    expect(await new Host().call(chosen, json(event))).toEqual(STARTS_NOTHING);
  });

  test('of a chosen type or company starts it, any other is answered 202 and does not', async () => {
    const stored = activated({
      events: ['document.received', 'webhook.test'],
      companies: 'selected',
      companyList: {
        values: [
          { company: { __rl: true, mode: 'list', value: 'company_1', cachedResultName: 'Müller' } },
          { company: { __rl: true, mode: 'id', value: ' company_2 ' } },
        ],
      },
    });
    const call = async (changes: Parameters<typeof anEvent>[0]) =>
      await new Host().call(stored, json(anEvent({ type: 'document.received', ...changes })));
    expect((await call({ id: 'evt_a', companyId: 'company_1' })).items).toHaveLength(1);
    expect((await call({ id: 'evt_b', companyId: 'company_2' })).items).toHaveLength(1);
    expect(await call({ id: 'evt_c', companyId: 'company_3' })).toEqual(STARTS_NOTHING);
    expect(await call({ id: 'evt_d', companyId: null })).toEqual(STARTS_NOTHING);
    expect(await call({ id: 'evt_e', type: 'task.completed' })).toEqual(STARTS_NOTHING);
    expect((await call({ id: 'evt_f', type: 'webhook.test', companyId: null })).items).toHaveLength(1);
  });

  test('of the test event is answered 202, and starts nothing unless it is chosen', async () => {
    const test = anEvent({ id: 'evt_test', type: 'webhook.test', companyId: null });
    expect(await new Host().call(activated(), json(test))).toEqual(STARTS_NOTHING);
  });
});

describe('a call that proves nothing is answered 401 and starts nothing', () => {
  const genuine = json(anEvent({ id: 'evt_proof' }));

  test.each<[string, HttpCall]>([
    ['without signature', { headers: {}, rawBody: genuine.rawBody }],
    [
      'with a changed body',
      { ...genuine, rawBody: Buffer.from(genuine.rawBody.toString().replace('evt_', 'evt-')) },
    ],
    ['without a body', { headers: genuine.headers, rawBody: Buffer.alloc(0) }],
    ['without a body that could be read', { headers: genuine.headers }],
    [
      'that breaks off',
      {
        headers: genuine.headers,
        readRawBody: async () => {
          throw new Error('request aborted');
        },
      },
    ],
    [
      'as a form with files, which n8n has taken apart',
      {
        headers: { ...genuine.headers, 'content-type': 'multipart/form-data; boundary=x' },
        readRawBody: async () => await new Promise(() => undefined),
      },
    ],
  ])('%s', async (_, call) => {
    expect(await new Host().call(activated(), call)).toEqual(REFUSED);
  });

  test('when the workflow has no endpoint, or what is stored of it is of no use', async () => {
    expect(await new Host().call(storedWorkflow(CREDENTIAL), genuine)).toEqual(REFUSED);
    for (const secret of [null, '', 'whsec_', 'whsec_!', 'whsec_AA', 7]) {
      expect(await new Host().call(activated({}, secret), genuine)).toEqual(REFUSED);
    }
    for (const kept of [null, 7, 'x', [], { endpoint: null }]) {
      const stored = storedWorkflow(CREDENTIAL);
      stored.staticData = JSON.stringify({ [`node:${stored.nodeName}`]: kept });
      expect(await new Host().call(stored, genuine)).toEqual(REFUSED);
    }
  });
});

test('answers 400 to what is signed but no event', async () => {
  const answer = await new Host().call(activated(), json({ test: 1 }));
  const body = { error: 'The body is not an event.' };
  expect(answer).toEqual({ status: 400, body, isAnswered: true, items: undefined });
});

test('starts one execution for copies that come at the same time, and answers all of them 202', async () => {
  const host = new Host();
  const stored = activated();
  const call = json(anEvent({ id: 'evt_copies' }));
  const answers = await Promise.all(Array.from({ length: 8 }, async () => await host.deliver(stored, call)));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(8).fill(202));
  expect(answers.filter(({ items }) => items !== undefined)).toHaveLength(1);
  expect(host.ran).toHaveLength(1);
});

test('takes an event again whose first call n8n could not store', async () => {
  const host = new Host();
  const stored = activated();
  const call = json(anEvent({ id: 'evt_unstored' }));
  expect((await host.call(stored, call)).items).toHaveLength(1);
  expect((await host.deliver(stored, call)).items).toHaveLength(1);
  expect(host.ran).toHaveLength(1);
});

test('takes the same event for a test and for the running workflow', async () => {
  const host = new Host();
  const stored = activated();
  const call = json(anEvent({ id: 'evt_both' }));
  expect((await host.call(stored, call, 'manual')).items).toHaveLength(1);
  expect((await host.call(stored, call)).items).toHaveLength(1);
});

describe("n8n's log says once an hour, with the way out, that calls are refused", () => {
  afterEach(() => jest.restoreAllMocks());

  /** What is logged while the same call comes now, at once again, and an hour later. */
  async function warnings(stored: StoredWorkflow, call: HttpCall): Promise<string[]> {
    const host = new Host();
    const start = Date.now();
    const counts: number[] = [];
    for (const later of [0, 0, 3_599_000, 3_601_000]) {
      jest.spyOn(Date, 'now').mockReturnValue(start + later);
      expect(await host.call(stored, call)).toEqual(REFUSED);
      counts.push(host.warnings.length);
    }
    expect(counts).toEqual([1, 1, 1, 2]);
    return host.warnings;
  }

  test('when the signing secret is missing', async () => {
    const stored = activated({}, null);
    const [said] = await warnings(stored, json(anEvent()));
    expect(said).toContain(`workflow "Test" (${stored.id})`);
    expect(said).toMatch(/no usable signing secret.*publish it again/);
  });

  test('when the clock is off', async () => {
    const body = JSON.stringify(anEvent());
    const headers = signedHeaders(VECTOR_SECRET, 'evt_1', 1_700_000_000, body);
    const [said] = await warnings(activated(), { headers, rawBody: Buffer.from(body) });
    expect(said).toMatch(/more than five minutes off.*clock of the n8n server/);
  });

  test('and nothing of a signature that is wrong, nor of a late call that anybody could send', async () => {
    const host = new Host();
    const call = json(anEvent());
    const late = { ...call.headers, 'webhook-timestamp': '1700000000' };
    expect(await host.call(activated(), { ...call, rawBody: Buffer.from('{}') })).toEqual(REFUSED);
    expect(await host.call(activated(), { ...call, headers: late })).toEqual(REFUSED);
    expect(host.warnings).toEqual([]);
  });
});
