import { DateTime } from 'luxon';
import type { Company, Document } from '../../../sandbox/records';
import { first, readAll, watchFeed } from '../../support/sandbox/pages';
import { useSandbox } from '../../support/sandbox/sandbox';
import { until } from '../../support/time/until';

const sandbox = useSandbox({ documents: 300 });

const documents = (query: Record<string, string | number> = {}, key?: string) =>
  readAll<Document>(sandbox(), '/documents', query, key);

const arrive = async (more: object = {}): Promise<Document> => {
  const { id } = await first<Company>(sandbox(), '/companies');
  const body = {
    companyId: id,
    source: 'email',
    filename: 'arve.pdf',
    contentBase64: Buffer.from('%PDF-1.7').toString('base64'),
    ...more,
  };
  return sandbox().control<Document>('documents', body);
};

const STAGES = ['inbox', 'accounting', 'storage', 'archived', 'split', 'error'] as const;

describe('the list', () => {
  test('holds every document once, newest first', async () => {
    const all = await documents({ limit: 37 });
    expect(all).toHaveLength(300);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const times = all.map(({ receivedAt }) => Date.parse(receivedAt));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test.each(STAGES)('by the stage %s holds those of that stage', async (stage) => {
    const all = await documents();
    const expected = all.filter((document) => document.stage === stage);
    expect(expected.length).toBeGreaterThan(0);
    expect(await documents({ stage })).toEqual(expected);
  });

  test('by company holds those of that company', async () => {
    const all = await documents();
    const companyId = all.find((document) => document.companyId !== null)?.companyId ?? '';
    expect(await documents({ companyId })).toEqual(
      all.filter((document) => document.companyId === companyId),
    );
    expect(await documents({ companyId, stage: 'inbox' })).toEqual(
      all.filter((document) => document.companyId === companyId && document.stage === 'inbox'),
    );
    expect(await documents({ companyId: 'nobody' })).toEqual([]);
  });

  test('by time has an inclusive start and an exclusive end', async () => {
    const all = await documents();
    const [newest, , middle] = all;
    if (!newest || !middle) throw new Error('There are too few documents');
    const found = await documents({ receivedFrom: middle.receivedAt, receivedTo: newest.receivedAt });
    expect(found).toEqual(
      all.filter(({ receivedAt }) => receivedAt >= middle.receivedAt && receivedAt < newest.receivedAt),
    );
    expect(found.map(({ id }) => id)).toContain(middle.id);
  });

  test('by date means midnight UTC, and by date-time the moment with its offset', async () => {
    const all = await documents();
    const within = (from: number, to: number) =>
      all.filter(({ receivedAt }) => Date.parse(receivedAt) >= from && Date.parse(receivedAt) < to);
    const month = DateTime.fromISO(sandbox().period, { zone: 'utc' });
    const [from, to] = [month.set({ day: 1 }), month.set({ day: 21 })];
    const inBetween = within(from.toMillis(), to.toMillis());
    expect(inBetween).not.toEqual([]);
    expect(
      await documents({ receivedFrom: from.toISODate() ?? '', receivedTo: to.toISODate() ?? '' }),
    ).toEqual(inBetween);
    const shifted = {
      receivedFrom: `${from.toISODate()}T02:00:00+02:00`,
      receivedTo: `${to.minus({ days: 1 }).toISODate()}T19:00:00.000-05:00`,
    };
    expect(await documents(shifted)).toEqual(inBetween);
  });

  test.each([
    [{ receivedFrom: '2026-02-30' }, 'receivedFrom'],
    [{ receivedTo: 'yesterday' }, 'receivedTo'],
    [{ receivedFrom: '2026-01-01T10:00:00' }, 'receivedFrom'],
    [{ receivedFrom: '2016-12-31T23:59:60Z' }, 'receivedFrom'],
    [{ stage: 'lost' }, 'stage'],
    [{ companyId: '' }, 'companyId'],
    [{ companyId: 'x'.repeat(201) }, 'companyId'],
  ])('refuses %j', async (query, path) => {
    const { status, body } = await sandbox().call({ path: '/documents', query });
    expect([status, body.error.details?.issues?.[0]?.path]).toEqual([400, path]);
  });

  test('of a key for one company holds only its documents', async () => {
    const key = sandbox().keys.singleCompany;
    const [{ id }] = (await readAll<Company>(sandbox(), '/companies', {}, key)) as [Company];
    const all = await documents();
    expect(await documents({}, key)).toEqual(all.filter(({ companyId }) => companyId === id));
    const other = all.find(({ companyId }) => companyId !== null && companyId !== id);
    const query = { companyId: other?.companyId ?? '' };
    const denied = await sandbox().call({ path: '/documents', query, key });
    expect([denied.status, denied.body.error.code]).toEqual([403, 'COMPANY_ACCESS_DENIED']);
    expect((await sandbox().call({ path: `/documents/${other?.id}`, key })).status).toBe(404);
    expect((await sandbox().call({ path: `/documents/${other?.id}/content`, key })).status).toBe(404);
  });
});

test('the original of a document of the seed is what its record says', async () => {
  const all = await documents();
  const withFile = all.filter(({ file }) => file !== null);
  expect(withFile.length).toBeGreaterThan(0);
  for (const document of withFile.slice(0, 5)) {
    const { bytes } = await sandbox().call<undefined>({ path: `/documents/${document.id}/content` });
    expect(bytes).toHaveLength(document.file?.sizeBytes ?? -1);
  }
});

describe('a document that arrives', () => {
  test('is announced, and read after about 2 seconds', async () => {
    const feed = await watchFeed(sandbox(), (await first<Company>(sandbox(), '/companies')).id);
    const document = await arrive({ source: 'drive' });
    expect(document).toMatchObject({
      stage: 'inbox',
      source: 'drive',
      file: { mimeType: 'application/pdf' },
    });
    const subject = { type: 'document', id: document.id };
    const { companyId } = document;
    expect(await feed.since()).toMatchObject([{ type: 'document.received', subject, companyId }]);
    const events = await until('the reading', async () => {
      const found = await feed.since();
      return found.length > 1 && found;
    });
    expect(events).toMatchObject([
      { type: 'document.received' },
      { type: 'document.ocr_completed', subject, companyId },
    ]);
    const [received, read] = events.map(({ createdAt }) => Date.parse(createdAt));
    expect((read ?? 0) - (received ?? 0)).toBeGreaterThanOrEqual(1900);
    expect((read ?? 0) - (received ?? 0)).toBeLessThan(8000);
  });

  test('and is not base64 is refused', async () => {
    await expect(arrive({ contentBase64: '!!!' })).rejects.toThrow('400');
  });

  test.each([
    ['empty', 'arve.pdf', ''],
    ['no PDF though it says so', 'arve.pdf', 'hello'],
    ['no PNG though it says so', 'pilt.png', '%PDF'],
  ])('and is %s cannot be read', async (_what, filename, content) => {
    const feed = await watchFeed(sandbox(), (await first<Company>(sandbox(), '/companies')).id);
    await arrive({ filename, contentBase64: Buffer.from(content).toString('base64') });
    await sandbox().control('clock', { advanceSeconds: 3 });
    expect((await feed.since()).map(({ type }) => type)).toEqual([
      'document.received',
      'document.ocr_failed',
    ]);
  });
});
