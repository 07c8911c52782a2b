import { subjectOf } from '../agency/events';
import type { Event, EventType } from '../records';
import { iso } from '../time/clock';
import { END } from './dates';
import type { Seed } from './types';

type Happening = Pick<Event, 'type' | 'companyId' | 'subject'> & { at: string };

/** What happened to the seed's records, as the event feed has it: oldest first. */
export function makeEvents({ companies, documents, periods, tasks }: Omit<Seed, 'events'>): Event[] {
  const happenings: Happening[] = [];
  const add = (at: string, type: EventType, companyId: string | null, id: string) =>
    happenings.push({ at, type, companyId, subject: subjectOf(type, id) });

  for (const { document } of documents) {
    const { id, companyId, receivedAt, stage } = document;
    const read = new Date(Date.parse(receivedAt) + 2000).toISOString();
    add(receivedAt, 'document.received', companyId, id);
    add(read, stage === 'error' ? 'document.ocr_failed' : 'document.ocr_completed', companyId, id);
  }
  for (const { companyId, obligations } of periods) {
    for (const { id, completedAt } of obligations) {
      if (completedAt !== null) add(completedAt, 'obligation.updated', companyId, String(id));
    }
  }
  for (const { task } of tasks) {
    if (task.completedAt !== null) add(task.completedAt, 'task.completed', task.companyId, task.id);
  }
  companies.forEach(({ company: { id, createdAt, updatedAt }, settings }, index) => {
    if (updatedAt !== createdAt) add(updatedAt, 'company.updated', id, id);
    if (settings.agent.configured && index % 4 === 2) add(updatedAt, 'company.settings_updated', id, id);
  });

  return happenings
    .filter(({ at }) => at <= iso(END))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, type, companyId, subject }, index) => ({
      id: `evt_${String(index + 1).padStart(6, '0')}`,
      type,
      createdAt: at,
      companyId,
      subject,
      data: {},
    }));
}
