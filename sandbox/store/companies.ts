import type { Company, CompanyPlaybook, CompanySettings } from '../records';
import type { SeedCompany } from '../seed/types';
import type { Database } from './database';

/** A text as it is compared: composed, and without regard to case. */
const folded = (text: string | null): string => (text ?? '').normalize('NFC').toLowerCase();

const columns = (company: Company) => ({
  sortName: company.name.toLowerCase(),
  foldedName: folded(company.name),
  shortName: folded(company.shortName),
  registrationCode: folded(company.registrationCode),
  vatCode: folded(company.vatCode),
  record: JSON.stringify(company),
});

/** Adds a company with its settings and its playbook. */
export function addCompany(db: Database, { company, settings, playbook }: SeedCompany): void {
  db.insert('companies', {
    id: company.id,
    ...columns(company),
    settings: JSON.stringify(settings),
    playbook: JSON.stringify(playbook),
  });
}

/** Whether there is a company with this ID. */
export function companyExists(db: Database, id: string): boolean {
  return db.get('SELECT 1 FROM companies WHERE id = :id', { id }) !== undefined;
}

/** The company with this ID. */
export function findCompany(db: Database, id: string): Company | undefined {
  return db.records<Company>('SELECT record FROM companies WHERE id = :id', { id })[0];
}

/** Saves a company that exists. */
export function saveCompany(db: Database, company: Company): void {
  db.update('companies', company.id, columns(company));
}

/** The settings of a company that exists. */
export function readSettings(db: Database, id: string): CompanySettings | undefined {
  return db.records<CompanySettings>('SELECT settings AS record FROM companies WHERE id = :id', { id })[0];
}

/** Saves the settings of a company that exists. */
export function saveSettings(db: Database, settings: CompanySettings): void {
  db.update('companies', settings.companyId, { settings: JSON.stringify(settings) });
}

/** The playbook of a company that exists. */
export function readPlaybook(db: Database, id: string): CompanyPlaybook | undefined {
  return db.records<CompanyPlaybook>('SELECT playbook AS record FROM companies WHERE id = :id', { id })[0];
}

/** Saves the playbook of a company that exists. */
export function savePlaybook(db: Database, playbook: CompanyPlaybook): void {
  db.update('companies', playbook.companyId, { playbook: JSON.stringify(playbook) });
}

/** Which companies are listed. */
export interface CompanySearch {
  companies: 'all' | string[];
  /** Found literally in name, short name, registration code or VAT code. */
  query?: string;
  /** Id of the last company of the page before. */
  after?: string;
  limit: number;
}

/** Companies by name: by Unicode code point of the lower-cased name, then by id. */
export function listCompanies(db: Database, search: CompanySearch): Company[] {
  return db.records<Company>(
    `SELECT c.record FROM companies c
     WHERE (:companies IS NULL OR c.id IN (SELECT value FROM json_each(:companies)))
       AND (:query IS NULL OR instr(c.foldedName, :query) OR instr(c.shortName, :query)
            OR instr(c.registrationCode, :query) OR instr(c.vatCode, :query))
       AND (:after IS NULL
            OR (c.sortName, c.id) > (SELECT last.sortName, last.id FROM companies last WHERE last.id = :after))
     ORDER BY c.sortName, c.id LIMIT :limit`,
    {
      companies: search.companies === 'all' ? null : JSON.stringify(search.companies),
      query: search.query === undefined ? null : folded(search.query),
      after: search.after ?? null,
      limit: search.limit,
    },
  );
}
