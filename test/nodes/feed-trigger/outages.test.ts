import { FeedWorkflow } from '../../support/trigger/feed-trigger';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const credential = (token = sandbox().keys.singleCompany) => ({ address: sandbox().url, token });
const happen = async (count: number) => {
  const { body } = await sandbox().call<{ data: { id: string }[] }>({
    path: '/companies',
    key: sandbox().keys.singleCompany,
  });
  await sandbox().control('events', { count, companyId: body.data[0]?.id });
};
const away = async (times: number) =>
  await sandbox().control('faults', [{ path: '/events', times, fault: 'status', status: 503 }]);

afterEach(() => jest.restoreAllMocks());

/** The time of the node, so many minutes from now. */
const start = Date.now();
const later = (minutes: number) => {
  jest.spyOn(Date, 'now').mockReturnValue(start + minutes * 60_000);
};

test.each([
  ['key that may not read events', /lacks the scope events:read.*add the scope to the access of this key/],
  ['revoked key', /does not accept the API key/],
])('a %s is refused at publication, with the way out', async (what, message) => {
  const key = await sandbox().newKey(['documents:read']);
  const workflow = new FeedWorkflow(credential(what.startsWith('revoked') ? sandbox().keys.revoked : key));
  await expect(workflow.start('activate')).rejects.toThrow(message);
  await expect(workflow.start('update')).rejects.toThrow(message);
  expect(workflow.position).toBeUndefined();
});

test.each([
  ['an empty selection', { events: [] }, 'Events is empty. Select at least one event.'],
  [
    'an unknown event',
    { events: ['task.completed', 'document.lost'] },
    /^Events cannot be "document\.lost"\. Use one of: document\.received, /,
  ],
  [
    'an empty list of companies',
    { companies: 'selected', companyList: {} },
    'Selected Companies is empty. Add a company, or set Companies to all.',
  ],
])(
  '%s is refused at publication and by Fetch Test Event, before anything is asked',
  async (_, parameters, message) => {
    const before = (await sandbox().requests()).length;
    await expect(new FeedWorkflow(credential(), parameters).start()).rejects.toThrow(message);
    await expect(new FeedWorkflow(credential(), parameters).fetchTestEvent()).rejects.toMatchObject({
      message: expect.stringMatching(/^(Events|Selected Companies) /),
      description: expect.stringMatching(/^(Select|Use|Add) /),
    });
    expect((await sandbox().requests()).length).toBe(before);
  },
);

test('a start of n8n never fails, and the node goes on when the agency is back', async () => {
  const workflow = new FeedWorkflow(credential());
  await workflow.start();
  await happen(2);
  await away(3);
  expect(await workflow.start('init')).toEqual([]);
  expect(workflow.warnings).toEqual([
    expect.stringMatching(/cannot read the events, and tries again with each poll/),
  ]);
  expect(await workflow.poll()).toHaveLength(2);
  expect(workflow.infos).toEqual([expect.stringMatching(/can be read again/)]);
}, 30_000);

test('an outage is logged once, is one failed execution after an hour, and another one when it is over', async () => {
  const workflow = new FeedWorkflow(credential());
  await workflow.start();
  await happen(3);
  workflow.credential = credential(sandbox().keys.revoked);
  later(0);
  await workflow.start('init');
  for (const minutes of [1, 30, 59]) {
    later(minutes);
    expect(await workflow.poll()).toEqual([]);
  }
  expect(workflow.warnings).toHaveLength(1);
  later(61);
  await expect(workflow.poll()).rejects.toThrow(
    /could not be read for an hour\. .*does not accept the API key.*no event is lost/,
  );
  later(62);
  expect(await workflow.poll()).toEqual([]);
  expect(workflow.failedExecutions).toEqual([]);

  workflow.credential = credential();
  later(120);
  expect(await workflow.start('init')).toHaveLength(3);
  expect(workflow.failedExecutions).toEqual([expect.stringContaining('can be read again')]);
  expect(workflow.warnings).toHaveLength(1);
  expect(JSON.stringify([workflow.warnings, workflow.failedExecutions])).not.toContain(
    sandbox().keys.revoked,
  );
}, 30_000);
