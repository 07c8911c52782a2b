import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox({ documents: 10 });

const upload = (filename: string | undefined) =>
  sandbox().call({
    method: 'POST',
    path: '/files',
    query: { filename },
    body: Buffer.from('a'),
    headers: { 'content-type': 'text/plain' },
  });

test.each(['invoice', 'invoice.', '', undefined, `${'a'.repeat(252)}.pdf`])(
  'an upload named %j is refused by the name of the field',
  async (filename) => {
    const { status, body } = await upload(filename);
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.details?.issues?.map(({ path }) => path)).toContain('filename');
  },
);

test.each([
  'a.b',
  'Überweisung März 🧾.pdf',
  'Überweisung.pdf',
  '.pdf',
  'two..dots',
  `${'a'.repeat(251)}.pdf`,
])('an upload named %j keeps its name code point for code point', async (filename) => {
  const { status, body } = await upload(filename);
  expect(status).toBe(201);
  expect(body).toMatchObject({ filename });
});
