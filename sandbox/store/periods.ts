import type { Company } from '../records';
import type { SeedPeriod } from '../seed/types';
import type { Database } from './database';

/** A company's month as stored, with the company's name. */
export type StoredPeriod = SeedPeriod & { companyName: string };

/** Adds months of companies. */
export function addPeriods(db: Database, periods: SeedPeriod[]): void {
  db.run(
    `INSERT INTO periods
     SELECT value ->> 'id', value ->> 'companyId', value ->> 'period', value FROM json_each(:periods)`,
    { periods: JSON.stringify(periods) },
  );
}

/** The entries of a month, of all companies or of one, in the order of the companies' names. */
export function listPeriods(db: Database, month: string, companyId?: string): StoredPeriod[] {
  const rows = db.all<{ record: string; companyName: string }>(
    `SELECT p.record, c.record ->> 'name' AS companyName
     FROM periods p JOIN companies c ON c.id = p.companyId
     WHERE p.period = :month AND (:companyId IS NULL OR p.companyId = :companyId)
     ORDER BY c.sortName, c.id`,
    { month, companyId: companyId ?? null },
  );
  return rows.map(({ record, companyName }) => ({ ...JSON.parse(record), companyName }));
}

/** The newest month that has entries, `YYYY-MM`. */
export function newestMonth(db: Database): string | undefined {
  return db.get<{ period: string }>('SELECT period FROM periods ORDER BY period DESC LIMIT 1')?.period;
}

/** A month's entries, each with its company as it is now. */
export function periodsWithCompanies(
  db: Database,
  month: string,
): { period: SeedPeriod; company: Company }[] {
  const rows = db.all<{ period: string; company: string }>(
    `SELECT p.record AS period, c.record AS company
     FROM periods p JOIN companies c ON c.id = p.companyId WHERE p.period = :month ORDER BY c.id`,
    { month },
  );
  return rows.map(({ period, company }) => ({ period: JSON.parse(period), company: JSON.parse(company) }));
}

/** The highest ID of an obligation in a month; 0 if it has none. */
export function lastObligationId(db: Database, month: string): number {
  const row = db.get<{ id: number | null }>(
    `SELECT max(o.value ->> 'id') AS id FROM periods p, json_each(p.record, '$.obligations') o
     WHERE p.period = :month`,
    { month },
  );
  return row?.id ?? 0;
}

/** The entry that holds an obligation. */
export function findByObligation(db: Database, obligationId: number): SeedPeriod | undefined {
  return db.records<SeedPeriod>(
    `SELECT p.record FROM periods p, json_each(p.record, '$.obligations') o
     WHERE o.value ->> 'id' = :obligationId LIMIT 1`,
    { obligationId },
  )[0];
}

/** Saves a company's month that exists. */
export function savePeriod(db: Database, period: SeedPeriod): void {
  db.update('periods', period.id, { record: JSON.stringify(period) });
}
