import assert from 'node:assert/strict';

/** A record in the answer of a tool. */
export type Row = Record<string, unknown>;

/** What the questions are about. */
export interface Office {
  company: { id: string; name: string; code: string };
  /** A month as YYYY-MM. */
  month: string;
  /** A document of the company that arrived after `since`, and could not be read. */
  unreadable: { id: string; name: string };
  /** A time as ISO 8601. */
  since: string;
}

/** A question of an office, the call of a tool that a model answers it by, and what has to be in the answer. */
export interface Question {
  asks: string;
  tool: string;
  args(office: Office): Record<string, unknown>;
  /** Throws when the answer is not what was asked for. */
  look(rows: Row[], office: Office): void;
}

const every = (rows: Row[], isRight: (row: Row) => boolean): void => {
  assert.ok(rows.length > 0, 'the answer is not empty');
  assert.deepEqual(
    rows.filter((row) => !isRight(row)),
    [],
  );
};

/** The document that an event is about. */
const subjectOf = ({ subject }: Row): unknown => (subject as { id?: unknown } | undefined)?.id;

const DAY_MS = 24 * 60 * 60 * 1000;

export const QUESTIONS: Question[] = [
  {
    asks: 'Which company is called so?',
    tool: 'find_companies',
    args: ({ company }) => ({ search: company.name }),
    look: (rows, { company }) => assert.ok(rows.some(({ id }) => id === company.id)),
  },
  {
    asks: 'Which company has this registration code?',
    tool: 'find_companies',
    args: ({ company }) => ({ search: company.code }),
    look: (rows, { company }) =>
      assert.deepEqual(
        rows.map(({ id }) => id),
        [company.id],
      ),
  },
  {
    asks: 'Who is the director of this company, where is it, and how often does it declare VAT?',
    tool: 'get_company',
    args: ({ company }) => ({ companyId: company.id }),
    look: (rows) => every(rows, (row) => 'directorName' in row && 'address' in row && 'vatPeriod' in row),
  },
  {
    asks: 'How far is the month-end work of this company?',
    tool: 'month_end_work',
    args: ({ company, month }) => ({ companyId: company.id, month }),
    look: (rows, { company }) =>
      every(rows, (row) => row['companyId'] === company.id && typeof row['status'] === 'string'),
  },
  {
    asks: 'What is overdue at this company?',
    tool: 'obligations',
    args: ({ company, month }) => ({ companyId: company.id, month, overdueOnly: true }),
    look: (rows, { company }) =>
      every(rows, ({ overdue, companyId }) => overdue === true && companyId === company.id),
  },
  {
    asks: 'Who is responsible for what at this company?',
    tool: 'obligations',
    args: ({ company, month }) => ({ companyId: company.id, month, overdueOnly: false }),
    look: (rows, { company }) => {
      every(rows, (row) => 'assigneeUserId' in row && row['companyName'] === company.name);
      assert.ok(rows.some(({ overdue }) => overdue === false));
    },
  },
  {
    asks: 'What is due within a week?',
    tool: 'due_soon',
    args: ({ month }) => ({ month, days: 7 }),
    look: (rows) => {
      // A day more, since the days are counted in the time zone of the workflow.
      const last = new Date(Date.now() + 8 * DAY_MS).toISOString();
      const isFinished = (status: unknown) => status === 'done' || status === 'not_applicable';
      every(rows, ({ status, dueDate }) => !isFinished(status) && String(dueDate) <= last);
    },
  },
  {
    asks: 'Which companies are overdue with this month?',
    tool: 'companies_by_status',
    args: ({ month }) => ({ month, status: 'overdue' }),
    look: (rows, { company }) => {
      every(rows, ({ obligationsOverdue }) => Number(obligationsOverdue) > 0);
      assert.ok(rows.some(({ companyId }) => companyId === company.id));
    },
  },
  {
    asks: 'Which documents arrived at this company since yesterday?',
    tool: 'documents',
    args: ({ company, since }) => ({ companyId: company.id, receivedSince: since }),
    look: (rows, { unreadable }) =>
      assert.deepEqual(
        rows.map(({ id }) => id),
        [unreadable.id],
      ),
  },
  {
    asks: 'Which documents could not be read this week?',
    tool: 'unreadable_documents',
    args: () => ({}),
    look: (rows, { unreadable }) => assert.equal(subjectOf(rows.at(-1) ?? {}), unreadable.id),
  },
  {
    asks: 'What is the name of the document that could not be read?',
    tool: 'get_document',
    args: ({ unreadable }) => ({ documentId: unreadable.id }),
    look: (rows, { unreadable }) =>
      assert.deepEqual(
        rows.map(({ name }) => name),
        [unreadable.name],
      ),
  },
  {
    asks: 'What changed at this company since yesterday?',
    tool: 'changes',
    args: ({ company }) => ({ companyId: company.id }),
    look: (rows, { unreadable, since }) => {
      const recent = rows.filter(({ createdAt }) => String(createdAt) >= since);
      assert.deepEqual(
        recent.map((row) => [row['type'], subjectOf(row)]),
        [
          ['document.received', unreadable.id],
          ['document.ocr_failed', unreadable.id],
        ],
      );
    },
  },
  {
    asks: 'What does the playbook of this company say?',
    tool: 'playbook',
    args: ({ company }) => ({ companyId: company.id }),
    look: (rows, { company }) =>
      every(rows, ({ markdown, companyId }) => typeof markdown === 'string' && companyId === company.id),
  },
  {
    asks: 'Which settings does this company have?',
    tool: 'settings',
    args: ({ company }) => ({ companyId: company.id }),
    look: (rows, { company }) =>
      every(rows, (row) => 'baseCurrency' in row && 'mcpEnabled' in row && row['companyId'] === company.id),
  },
];
