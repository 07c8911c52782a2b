import type {
  Company,
  CompanyPlaybook,
  CompanySettings,
  Document,
  Event,
  Obligation,
  Task,
} from '../records';

/** Everything that the agency holds after a start without data, and after a reset. */
export interface Seed {
  companies: SeedCompany[];
  documents: SeedDocument[];
  periods: SeedPeriod[];
  tasks: SeedTask[];
  /** Oldest first. Ids start with `evt_`. */
  events: Event[];
}

/** A company with what belongs to it alone. */
export interface SeedCompany {
  company: Company;
  settings: CompanySettings;
  playbook: CompanyPlaybook;
}

/** A document with its file. */
export interface SeedDocument {
  document: Document;
  /** The original file as text: its UTF-8 bytes are what `document.file` describes. Null when `document.file` is null. */
  content: string | null;
}

/** One company's month. Status, counts, next due date and document counts are derived by the sandbox. */
export interface SeedPeriod {
  id: string;
  companyId: string;
  /** `YYYY-MM` */
  period: string;
  primaryAccountantUserId: string | null;
  vatPayer: boolean;
  hasEmployees: boolean;
  messages: number;
  obligations: SeedObligation[];
}

/** An obligation without what follows from its period, its status and the date. Ids are unique over all periods. */
export type SeedObligation = Omit<Obligation, 'companyId' | 'period' | 'statusLabel' | 'overdue'>;

/** A task with its result. */
export interface SeedTask {
  /** Status `open` for a task that waits for its result, `completed` for one that has it. */
  task: Task;
  /** Null while the task is open. */
  result: { status: string; [field: string]: unknown } | null;
}
