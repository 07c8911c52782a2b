import { loadEngine } from '../../support/engine';
import { EVENT_READINGS } from '../../support/proxies/event-readings';
import { useReadingProxy } from '../../support/proxies/reading-proxy';
import { LIST_READINGS, READINGS } from '../../support/proxies/readings';
import { useSandbox } from '../../support/sandbox/sandbox';
import { FeedWorkflow } from '../../support/trigger/feed-trigger';

const sandbox = useSandbox({ documents: 30, rateLimit: 'off' });
const proxy = useReadingProxy(() => sandbox().url);

/** The one company of the key, so that its feed is short. */
let companyId = '';
beforeAll(async () => {
  await loadEngine();
  const { singleCompany: key } = sandbox().keys;
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies', key });
  companyId = String(body.data[0]?.id);
});

test.each(Object.entries({ ...READINGS, ...LIST_READINGS, ...EVENT_READINGS }))(
  'Each new event runs once, in its order, with an agency where %s',
  async (_, reading) => {
    const { writeId = (id: string) => id } = reading;
    proxy.read(reading);
    const credential = { address: proxy.address(), token: sandbox().keys.singleCompany };
    const workflow = new FeedWorkflow(credential, { include: 'recordAndFile' });
    const happen = async (count: number) => await sandbox().control('events', { count, companyId });
    expect(await workflow.start()).toEqual([]);
    await happen(3);
    const first = await workflow.poll();
    await happen(2);
    const second = await workflow.start('init');
    expect(await workflow.poll()).toEqual([]);
    expect(first.concat(second).map(({ json }) => json.id)).toEqual((await newestIds(5)).map(writeId));
    expect(workflow.warnings).toEqual([]);
  },
);

test('The first publication is by the clock of the agency, also in a feed that takes several polls', async () => {
  const ahead = 600;
  await sandbox().control('clock', { advanceSeconds: ahead });
  await sandbox().control('events', { count: 3, companyId });
  await sandbox().control('clock', { advanceSeconds: 2 });
  proxy.read({
    answered: (answer) => {
      const date = new Date(Date.now() + (ahead + 2) * 1_000).toUTCString();
      return { ...answer, headers: { ...answer.headers, date } };
    },
  });
  const workflow = new FeedWorkflow({ address: proxy.address(), token: sandbox().keys.full });
  expect(await workflow.start()).toEqual([]);
  expect(workflow.position).toMatchObject({ isSearching: true });
  await sandbox().control('events', { count: 2, companyId });
  expect((await workflow.poll()).map(({ json }) => json.id)).toEqual(await newestIds(2));
});

/** Of the events that the key sees, oldest first. */
async function newestIds(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const { body } = await sandbox().call<{ data: Array<{ id: string }>; nextCursor: string }>({
      path: '/events',
      query: { limit: 200, after },
      key: sandbox().keys.singleCompany,
    });
    if (body.data.length === 0) return ids.slice(-count);
    ids.push(...body.data.map(({ id }) => id));
    after = body.nextCursor;
  }
}
