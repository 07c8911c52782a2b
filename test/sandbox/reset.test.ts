import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox({ documents: 30 });

interface Page {
  data: Array<{ id: string }>;
}

/** What a few lists answer. */
async function seen() {
  const paths = ['/companies?limit=200', '/documents?limit=200', '/company-periods?period=2026-11&limit=200'];
  const pages = await Promise.all(paths.map((path) => sandbox().call<Page>({ path })));
  return pages.map(({ body }) => body.data);
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

test.each([1, 2, 3])('reset %i brings everything back as it was', async () => {
  const before = await seen();
  const id = await change();
  expect(await seen()).not.toEqual(before);
  await sandbox().control('reset');
  expect(await seen()).toEqual(before);
  expect((await sandbox().call({ path: `/documents/${id}` })).status).toBe(404);
  // Neither the task's result nor the idempotency key is remembered.
  expect(await change()).not.toBe(id);
});
