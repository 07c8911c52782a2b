import { fingerprint, sha256 } from '../../../sandbox/ids';
import { makeSeed } from '../../../sandbox/seed';
import { END, PERIOD } from '../../../sandbox/seed/dates';
import { recordProblems } from '../../support/sandbox/contract';

const seed = makeSeed();

function expectAll(schema: string, records: unknown[]) {
  expect(records.length).toBeGreaterThan(0);
  expect(records.flatMap((record) => recordProblems(schema, record))).toEqual([]);
}

const count = <T>(items: T[], wanted: (item: T) => boolean) => items.filter(wanted).length;

describe('the seed', () => {
  const companies = seed.companies.map(({ company }) => company);
  const documents = seed.documents.map(({ document }) => document);
  const obligations = seed.periods.flatMap((month) => month.obligations);

  test('is the same every time', () => {
    expect(fingerprint(makeSeed())).toBe(fingerprint(seed));
    expect(fingerprint(makeSeed(40).periods)).toBe(fingerprint(seed.periods));
  });

  test('makes as many documents as asked for, quickly', () => {
    // The time of the processor, since other tests run beside this one.
    const before = process.cpuUsage();
    expect(makeSeed(20_000).documents).toHaveLength(20_000);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5000);
    expect(makeSeed(0).documents).toEqual([]);
    expect(makeSeed(3).documents).toHaveLength(3);
  });

  test('holds at least 260 different companies with names as they are in life', () => {
    expect(companies.length).toBeGreaterThanOrEqual(260);
    expect(new Set(companies.map(({ name }) => name)).size).toBe(companies.length);
    const codes = companies.flatMap(({ registrationCode }) => registrationCode ?? []);
    expect(new Set(codes).size).toBe(codes.length);
    for (const letter of [...'õäüšž"']) {
      expect(count(companies, ({ name }) => name.toLowerCase().includes(letter))).toBeGreaterThan(0);
    }
    expect(count(companies, ({ vatCode }) => vatCode === null)).toBeGreaterThan(20);
    expect(count(companies, ({ serviceStoppedFrom }) => serviceStoppedFrom !== null)).toBeGreaterThan(5);
  });

  test('holds only what the contract allows', () => {
    expectAll('Company', companies);
    expectAll(
      'CompanySettings',
      seed.companies.map(({ settings }) => settings),
    );
    expectAll(
      'CompanyPlaybook',
      seed.companies.map(({ playbook }) => playbook),
    );
    expectAll('Document', documents);
    expectAll('Event', seed.events);
    expectAll(
      'Task',
      seed.tasks.map(({ task }) => task),
    );
    expectAll(
      'TaskResult',
      seed.tasks.flatMap(({ result }) => result ?? []),
    );
    expectAll(
      'Obligation',
      seed.periods.flatMap(({ companyId, period, obligations: work }) =>
        work.map((obligation) => ({ ...obligation, companyId, period, statusLabel: '', overdue: false })),
      ),
    );
  });

  test('holds documents of twelve months in every stage, from every source, with duplicates', () => {
    expect(documents.length).toBeGreaterThanOrEqual(1500);
    expect(new Set(documents.map(({ receivedAt }) => receivedAt.slice(0, 7))).size).toBe(12);
    expect(new Set(documents.map(({ stage }) => stage))).toEqual(
      new Set(['inbox', 'accounting', 'storage', 'archived', 'split', 'error']),
    );
    expect(new Set(documents.map(({ source }) => source))).toEqual(
      new Set(['upload', 'email', 'drive', 'api']),
    );
    expect(count(documents, ({ accountingDocumentId }) => accountingDocumentId !== null)).toBeGreaterThan(
      100,
    );
    const copies = documents.filter(({ duplicateOfDocumentId }) => duplicateOfDocumentId !== null);
    expect(copies.length).toBeGreaterThan(10);
    for (const copy of copies) {
      const original = documents.find(({ id }) => id === copy.duplicateOfDocumentId);
      expect(original?.file).toEqual(copy.file);
      expect(original?.companyId).toBe(copy.companyId);
    }
  });

  test('describes the bytes of its files', () => {
    for (const { document, content } of seed.documents) {
      expect(document.file === null).toBe(content === null);
      if (content === null) continue;
      expect(document.file).toMatchObject({
        sizeBytes: Buffer.byteLength(content),
        sha256: sha256(content),
      });
    }
  });

  test('holds twelve months of every company with work in every status and several assignees', () => {
    expect(seed.periods).toHaveLength(companies.length * 12);
    expect(new Set(seed.periods.map(({ id }) => id)).size).toBe(seed.periods.length);
    expect(seed.periods.at(-1)?.period).toBe(PERIOD);
    expect(new Set(obligations.map(({ id }) => id)).size).toBe(obligations.length);
    const newest = seed.periods
      .filter(({ period }) => period === PERIOD)
      .flatMap((month) => month.obligations);
    expect(new Set(newest.map(({ status }) => status))).toEqual(
      new Set(['todo', 'in_progress', 'waiting', 'done', 'not_applicable']),
    );
    expect(new Set(newest.map(({ assigneeUserId }) => assigneeUserId)).size).toBeGreaterThan(4);
    expect(
      count(obligations, ({ status, completedAt }) => (status === 'done') !== (completedAt !== null)),
    ).toBe(0);
  });

  test('holds open and completed tasks', () => {
    expect(count(seed.tasks, ({ task }) => task.status === 'open')).toBeGreaterThan(20);
    expect(count(seed.tasks, ({ task }) => task.status === 'completed')).toBeGreaterThan(20);
    expect(count(seed.tasks, ({ task, result }) => (task.status === 'open') !== (result === null))).toBe(0);
  });

  test('has an event for everything, oldest first, none in the future', () => {
    const times = seed.events.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    expect((times.at(-1) ?? '') <= new Date(END).toISOString()).toBe(true);
    expect(new Set(seed.events.map(({ id }) => id)).size).toBe(seed.events.length);
    const subjects = new Set(seed.events.map(({ type, subject }) => `${type} ${subject.id}`));
    for (const { id } of documents) expect(subjects.has(`document.received ${id}`)).toBe(true);
    for (const { id } of obligations.filter(({ completedAt }) => completedAt !== null)) {
      expect(subjects.has(`obligation.updated ${id}`)).toBe(true);
    }
    for (const { task } of seed.tasks.filter(({ result }) => result !== null)) {
      expect(subjects.has(`task.completed ${task.id}`)).toBe(true);
    }
    expect(new Set(seed.events.map(({ type }) => type)).size).toBe(7);
  });
});
