import type { EventType } from '../records';
import type { Database } from '../store/database';

/** A record that an event can be about. */
export type Subject = { type: string; id: string; companyId: string };

const DOCUMENTS = "SELECT 'document' AS type, id, companyId FROM documents";
const COMPANIES = "SELECT 'company' AS type, id, id AS companyId FROM companies";
const TASKS = "SELECT 'task' AS type, id, companyId FROM tasks";
const OBLIGATIONS = `SELECT 'obligation' AS type, CAST(o.value ->> 'id' AS TEXT) AS id, p.companyId
  FROM periods p, json_each(p.record, '$.obligations') o`;

const SOURCES: Partial<Record<EventType, string>> = {
  'document.received': DOCUMENTS,
  'document.ocr_completed': DOCUMENTS,
  'document.ocr_failed': DOCUMENTS,
  'obligation.updated': OBLIGATIONS,
  'task.completed': TASKS,
  'company.updated': COMPANIES,
  'company.settings_updated': COMPANIES,
};

/** The types of events that records have. */
export const RECORD_EVENTS = Object.keys(SOURCES) as EventType[];

/** Up to 1,000 records that events of this type are about, of one company or of all. */
export function subjectsOf(db: Database, type: EventType, companyId: string | undefined): Subject[] {
  return db.all<Subject>(
    `SELECT * FROM (${SOURCES[type]}) WHERE companyId IS NOT NULL AND (:companyId IS NULL OR companyId = :companyId)
     LIMIT 1000`,
    { companyId: companyId ?? null },
  );
}
