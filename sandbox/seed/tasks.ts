import type { Company } from '../records';
import { HOUR, iso } from '../time/clock';
import { END } from './dates';
import { ACCOUNTANTS } from './names';
import { newRandom, type Random, rotate } from './random';
import type { SeedDocument, SeedTask } from './types';

const TASK_COUNT = 180;

interface Template {
  type: string;
  instruction: string;
  result(random: Random): { status: string; [field: string]: unknown };
}

const TEMPLATES: readonly [Template, ...Template[]] = [
  {
    type: 'document_review',
    instruction: 'Read the document and say whether its lines name what was bought.',
    result: (random) => ({ status: random.pick(['ok', 'ok', 'needs_human']), findings: random.int(0, 3) }),
  },
  {
    type: 'expense_account',
    instruction: 'Propose an expense account for each line, with a reason.',
    result: (random) => ({
      status: 'ok',
      lines: [{ account: String(random.int(4100, 4999)), reason: 'Sarnane varasema arvega' }],
    }),
  },
  {
    type: 'client_question',
    instruction: 'Ask the client in one friendly sentence what the purchase was for.',
    result: () => ({ status: 'ok', question: 'Tere! Milleks see ost tehti – büroo või kliendi jaoks?' }),
  },
];

/** AI tasks on the newest documents, oldest first; every third one waits for its result. */
export function makeTasks(documents: readonly SeedDocument[], companies: readonly Company[]): SeedTask[] {
  const random = newRandom(6);
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  return documents
    .filter(({ document }) => document.companyId !== null && document.file !== null)
    .slice(-TASK_COUNT)
    .map(({ document }, index) => makeTask(index, document, names, random));
}

function makeTask(
  index: number,
  { id, companyId, receivedAt }: SeedDocument['document'],
  names: ReadonlyMap<string, string>,
  random: Random,
): SeedTask {
  const template = rotate(TEMPLATES, index);
  const open = index % 3 === 1;
  const created = Date.parse(receivedAt) + 60_000;
  const result = open ? null : template.result(random);
  const completedAt = open ? null : iso(Math.min(END, created + random.int(1, 30) * HOUR));
  const again = index % 10 === 4;
  return {
    task: {
      id: `task_${String(index + 1).padStart(4, '0')}`,
      type: template.type,
      status: open ? 'open' : 'completed',
      attempt: again ? 2 : 1,
      companyId: companyId ?? '',
      companyName: names.get(companyId ?? '') ?? null,
      subject: { type: 'document', id },
      instruction: template.instruction,
      humanFeedback: again ? 'Palun vaata ka teist lehekülge.' : null,
      resultStatus: result?.status ?? null,
      createdBy:
        index % 4 === 0
          ? { actorType: 'system', userId: null }
          : { actorType: 'user', userId: random.pick(ACCOUNTANTS) },
      createdAt: iso(created),
      updatedAt: completedAt ?? iso(created),
      completedAt,
    },
    result,
  };
}
