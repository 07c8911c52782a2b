import type { Page } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });

type Rows = Page<{ id: string }>;

/** What a few lists answer, and the cursors that lead on from them. */
async function seen() {
  const paths = [
    '/companies?limit=200',
    '/documents?limit=20',
    `/company-periods?period=${sandbox().period}&limit=200`,
    '/events?limit=200',
    '/events?limit=10&type=task.completed',
  ];
  const pages = await Promise.all(paths.map((path) => sandbox().call<Rows>({ path })));
  return pages.map(({ body }) => body);
}

/** The number of the delivery that the next endpoint's test call gets, and the cursor at the feed's end after it. */
async function numbers() {
  const { call } = sandbox();
  const body = { url: 'https://127.0.0.1:1/', eventTypes: ['*'] };
  const endpoint = (await call<{ id: string }>({ method: 'POST', path: '/webhook-endpoints', body })).body;
  const path = `/webhook-endpoints/${endpoint.id}`;
  await call({ method: 'POST', path: `${path}/test` });
  await call({ method: 'PATCH', path: '/companies/cmp_0002', body: { shortName: 'Uus' } });
  const deliveries = (await call<Rows>({ path: `${path}/deliveries` })).body.data.map(({ id }) => id);
  const feed = await call<Rows>({ path: '/events?type=company.updated&companyId=cmp_0002&limit=200' });
  return { deliveries, cursor: feed.body.nextCursor };
}

/** Changes a company, files a document, finishes a task and makes an endpoint. @returns The document's id. */
async function change(): Promise<string> {
  const { call, tasks } = sandbox();
  const post = { method: 'POST', headers: { 'idempotency-key': 'one' } };
  const { body: file } = await call<{ id: string }>({
    method: 'POST',
    path: '/files',
    query: { filename: 'a.txt' },
    body: Buffer.from('a'),
  });
  const filing = { fileId: file.id, companyId: 'cmp_0001' };
  const { body } = await call<{ id: string }>({ ...post, path: '/documents', body: filing });
  await call({ method: 'PATCH', path: '/companies/cmp_0001', body: { shortName: 'Uus' } });
  await call({ method: 'POST', path: `/tasks/${tasks[0]}/result`, body: { status: 'ok' } });
  const endpoint = { url: 'https://127.0.0.1:1/', eventTypes: ['*'] };
  await call({ method: 'POST', path: '/webhook-endpoints', body: endpoint });
  return body.id;
}

describe('a reset', () => {
  let fresh: [Awaited<ReturnType<typeof seen>>, Awaited<ReturnType<typeof numbers>>];

  beforeAll(async () => {
    fresh = [await seen(), await numbers()];
  });

  test.each([1, 2, 3])('brings everything back as it was at the start, time %i', async () => {
    const id = await change();
    expect(await seen()).not.toEqual(fresh[0]);
    await sandbox().control('clock', { advanceSeconds: 10_000 });
    await sandbox().control('faults', [{ fault: 'status', times: 9 }]);
    const { now } = await sandbox().control<{ now: string }>('reset');
    expect(Date.parse(now)).toBeLessThan(Date.now() + 9_000_000);
    expect(await sandbox().requests()).toEqual([]);
    expect(await seen()).toEqual(fresh[0]);
    expect((await sandbox().call({ path: `/documents/${id}` })).status).toBe(404);
    // Neither the task's result nor the idempotency key is remembered.
    expect(await change()).not.toBe(id);
    await sandbox().control('reset');
    // What comes next gets the numbers that it would have got at the start.
    expect(await numbers()).toEqual(fresh[1]);
  });
});
