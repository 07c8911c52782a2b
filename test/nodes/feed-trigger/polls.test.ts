import type { INodeExecutionData } from 'n8n-workflow';
import { FeedWorkflow } from '../../support/trigger/feed-trigger';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const credential = (token = sandbox().keys.singleCompany) => ({ address: sandbox().url, token });

/** The one company of the key, so that its feed is short. */
let companyId: string | undefined;
beforeAll(async () => {
  companyId = (await companies(sandbox().keys.singleCompany))[0];
});

async function companies(key?: string): Promise<(string | undefined)[]> {
  const { body } = await sandbox().call<{ data: { id: string }[] }>({ path: '/companies', key });
  return body.data.map(({ id }) => id);
}

const happen = async (count: number, more: object = {}) =>
  await sandbox().control('events', { count, companyId, ...more });

/** All events that the key sees, oldest first. */
async function feed(): Promise<{ id: string; createdAt: string }[]> {
  const events: { id: string; createdAt: string }[] = [];
  for (let after: string | undefined; ;) {
    const { body } = await sandbox().call<{ data: typeof events; nextCursor: string }>({
      path: '/events',
      query: { limit: 200, after },
      key: sandbox().keys.singleCompany,
    });
    if (body.data.length === 0) return events;
    events.push(...body.data);
    after = body.nextCursor;
  }
}
const feedIds = async () => (await feed()).map(({ id }) => id);
const idsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
const asked = async () => (await sandbox().requests()).length;

describe('a published workflow', () => {
  test('runs each new event once, in the order of the feed, and nothing of before', async () => {
    const workflow = new FeedWorkflow(credential());
    expect(await workflow.start()).toEqual([]);
    const before = (await feed()).length;
    await happen(5);
    expect(idsOf(await workflow.poll())).toEqual((await feedIds()).slice(before));
    expect(await workflow.poll()).toEqual([]);
    await happen(2);
    expect(idsOf(await workflow.poll())).toEqual((await feedIds()).slice(before + 5));
  });

  test('costs one request when nothing happened', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    const before = await asked();
    await workflow.poll();
    expect(await asked()).toBe(before + 1);
  });

  test('says of each event that it came by the feed', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    await happen(1, { type: 'company.updated' });
    expect(await workflow.poll()).toEqual([
      {
        json: {
          id: expect.any(String),
          type: 'company.updated',
          createdAt: expect.any(String),
          companyId: expect.any(String),
          subject: { type: 'company', id: expect.any(String) },
          data: {},
          arrival: { id: expect.any(String), source: 'feed', endpointId: null },
        },
      },
    ]);
  });

  test('takes a bounded number of events a turn, and goes on with the next', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    const before = (await feed()).length;
    await happen(450);
    const turns = [
      await workflow.poll(),
      await workflow.poll(),
      await workflow.poll(),
      await workflow.poll(),
    ];
    expect(turns.map((items) => items.length)).toEqual([200, 200, 50, 0]);
    expect(turns.flatMap(idsOf)).toEqual((await feedIds()).slice(before));
  });

  test('runs what happened while n8n was off, or the workflow was not published', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    const before = (await feed()).length;
    await happen(3);
    expect(idsOf(await workflow.start('init'))).toEqual((await feedIds()).slice(before));
    await happen(2);
    workflow.parameters = { events: ['task.completed', 'document.received'] };
    await happen(1, { type: 'task.completed' });
    const ran = await workflow.start('update');
    expect(ran.at(-1)?.json.type).toBe('task.completed');
    expect(ran.every(({ json }) => ['task.completed', 'document.received'].includes(String(json.type)))).toBe(
      true,
    );
  });

  test('runs nothing of before that a wider selection would have run', async () => {
    const workflow = new FeedWorkflow(credential(), { events: ['task.completed'] });
    await workflow.start();
    await happen(5, { type: 'document.received' });
    expect(await workflow.poll()).toEqual([]);
    workflow.parameters = { events: ['task.completed', 'document.received'] };
    await happen(2, { type: 'document.received' });
    expect(idsOf(await workflow.start('update'))).toEqual((await feedIds()).slice(-2));
  });

  test.each(['leadershipChange', 'activate', 'update'] as const)(
    'runs nothing again when another process has polled meanwhile (%s)',
    async (activation) => {
      const workflow = new FeedWorkflow(credential());
      await workflow.start();
      const { cursor } = workflow.position ?? {};
      expect([await workflow.poll(), await workflow.poll()]).toEqual([[], []]);
      await happen(3);
      const other = new FeedWorkflow(credential());
      await other.start();
      workflow.staticData = workflow.staticData.replace(String(cursor), String(other.position?.cursor));
      expect(await workflow.start(activation)).toEqual([]);
      await happen(1);
      expect(idsOf(await workflow.poll())).toEqual((await feedIds()).slice(-1));
    },
  );

  test('runs the selected events and companies only', async () => {
    const [first, second] = await companies(sandbox().keys.full);
    const values = [{ company: { __rl: true, mode: 'id', value: second ?? '' } }];
    const workflow = new FeedWorkflow(credential(sandbox().keys.full), {
      events: ['company.updated'],
      companies: 'selected',
      companyList: { values },
    });
    await workflow.start();
    for (const companyId of [first, second]) {
      await happen(1, { type: 'company.updated', companyId });
      await happen(1, { type: 'company.settings_updated', companyId });
    }
    const items = await workflow.poll();
    expect(items.map(({ json }) => [json.type, json.companyId])).toEqual([['company.updated', second]]);
  });

  test('does not poll a second time while a poll lasts', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    await happen(3);
    await sandbox().control('faults', [{ path: '/events', times: 1, fault: 'delay', delayMs: 300 }]);
    const [slow, other] = await Promise.all([workflow.poll(), workflow.poll()]);
    expect([slow.length, other.length]).toEqual([3, 0]);
  });

  test.each([true, false])(
    'runs each event once when the workflow is published again while a poll lasts, n8n 1: %s',
    async (classic) => {
      const workflow = new FeedWorkflow(credential());
      workflow.classic = classic;
      await workflow.start();
      await happen(3);
      await sandbox().control('faults', [{ path: '/events', times: 1, fault: 'delay', delayMs: 500 }]);
      const slow = workflow.poll();
      const republished = workflow.start('update');
      expect([...(await slow), ...(await republished)]).toEqual([]);
      await happen(2);
      expect(idsOf(await workflow.poll())).toEqual((await feedIds()).slice(-5));
      expect(await workflow.poll()).toEqual([]);
    },
  );

  test('runs what happened meanwhile when it gets another name, and its old one again', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    for (const name of ['Renamed', workflow.nodeName]) {
      await happen(3);
      workflow.nodeName = name;
      expect(idsOf(await workflow.start('update'))).toEqual((await feedIds()).slice(-3));
    }
  });

  test('passes a feed that is too long for one poll in several, and runs what happens meanwhile', async () => {
    const workflow = new FeedWorkflow(credential(sandbox().keys.full));
    expect(await workflow.start()).toEqual([]);
    expect(workflow.position).toMatchObject({ isSearching: true });
    await happen(2);
    const ran = idsOf(await workflow.poll());
    expect(ran).toEqual((await feedIds()).slice(-2));
    expect(workflow.position).toMatchObject({ isSearching: false });
  });

  test("goes on behind many events that it does not run, with n8n's durable poll cursors", async () => {
    const workflow = new FeedWorkflow(credential(), { events: ['company.updated'] });
    await workflow.start();
    await happen(12_100, { type: 'document.received' });
    await happen(2, { type: 'company.updated' });
    expect(await workflow.pollDurably()).toEqual([]);
    expect(idsOf(await workflow.pollDurably())).toEqual((await feedIds()).slice(-2));
    expect(await workflow.pollDurably()).toEqual([]);
  });

  test('begins anew at another agency', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    workflow.staticData = workflow.staticData.replaceAll(sandbox().url, 'https://elsewhere.example');
    await happen(3);
    expect(await workflow.start('init')).toEqual([]);
  });
});

describe('Start Date', () => {
  test('runs the events from then on', async () => {
    await happen(10, { over: 100 });
    const newest = (await feed()).slice(-10);
    const startDate = newest[4]?.createdAt ?? '';
    const workflow = new FeedWorkflow(credential(), { options: { startDate } });
    expect(idsOf(await workflow.start())).toEqual(newest.slice(4).map(({ id }) => id));
    await happen(1);
    // It counts for the beginning alone, and again when another one is given.
    expect(idsOf(await workflow.start('init'))).toHaveLength(1);
    workflow.parameters = { options: { startDate: startDate.replace('Z', '+00:00') } };
    expect(await workflow.start('update')).toHaveLength(7);
  });

  test.each([
    [
      '2100-01-01T00:00:00',
      /^Start Date is in the future: January 1, 2100, 00:00 \(Europe\/Tallinn\)\. Choose a past date/,
    ],
    ['someday', /^Start Date is not a date or a time: "someday"/],
    ['={{ undefined }}', /^Start Date is not a date or a time: it is empty/],
  ])('of %s is refused by name', async (startDate, message) => {
    const workflow = new FeedWorkflow(credential(), { options: { startDate } });
    await expect(workflow.start()).rejects.toThrow(message);
  });
});

describe('the position that the agency no longer accepts', () => {
  test('is found again in the feed, and each event runs once', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    await happen(3);
    expect(await workflow.poll()).toHaveLength(3);
    const before = (await feed()).length;
    await happen(4);
    const { cursor } = workflow.position ?? {};
    workflow.staticData = workflow.staticData.replace(String(cursor), 'nowhere');
    expect(idsOf(await workflow.start('init'))).toEqual((await feedIds()).slice(before));
    expect(workflow.warnings).toEqual([
      expect.stringMatching(
        /no longer accepts the position of .*from the beginning again\. Events since [A-Z]\w+ \d+, \d\d:\d\d \(Europe\/Tallinn\) run/,
      ),
    ]);
    expect(await workflow.poll()).toEqual([]);
  });

  test('is found again behind several pages, also among events of the same time', async () => {
    const workflow = new FeedWorkflow(credential());
    await workflow.start();
    await happen(450);
    const polled = [await workflow.poll(), await workflow.poll(), await workflow.poll()].flat();
    expect(idsOf(polled)).toEqual((await feedIds()).slice(-450));
    const { cursor } = workflow.position ?? {};
    workflow.staticData = workflow.staticData.replace(String(cursor), 'nowhere');
    expect(await workflow.start('init')).toEqual([]);
    await happen(2);
    expect(idsOf(await workflow.poll())).toEqual((await feedIds()).slice(-2));
  });
});

describe('Fetch Test Event', () => {
  test('gives the newest event that matches, at once', async () => {
    await happen(1, { type: 'task.completed' });
    const newest = (await feedIds()).at(-1);
    await happen(3, { type: 'company.updated' });
    const workflow = new FeedWorkflow(credential(), { events: ['task.completed'] });
    expect(idsOf(await workflow.fetchTestEvent())).toEqual([newest]);
    workflow.parameters = {};
    expect(idsOf(await workflow.fetchTestEvent())).toEqual([(await feedIds()).at(-1)]);
  });

  test('says so when there is none, and what keeps from reading', async () => {
    const key = await sandbox().newKey(['events:read'], [String(companyId)]);
    await expect(new FeedWorkflow(credential(key)).fetchTestEvent()).rejects.toThrow(
      'The event feed has no matching event yet',
    );
    await expect(new FeedWorkflow(credential(sandbox().keys.revoked)).fetchTestEvent()).rejects.toThrow(
      'does not accept the API key',
    );
  });
});
