import type { Agency } from './agency';
import { maySee } from '../access/authentication';
import { changesBetween } from './changes';
import { iso } from '../time/clock';
import { notFound } from '../server/errors';
import { emit } from './events';
import { ok, type Call, type Operation } from '../server/operation';
import type { Company, CompanyUpdate, Query } from '../records';
import { findCompany, listCompanies, saveCompany } from '../store/companies';
import { page } from '../server/paging';

/** @throws ApiError `NOT_FOUND` when the addressed company does not exist or is out of reach. */
export function addressedCompany(call: Call, agency: Agency): Company {
  const id = String(call.params.id);
  const company = maySee(call.principal, id) ? findCompany(agency.db, id) : undefined;
  if (!company) throw notFound('company');
  return company;
}

export const list: Operation = (call, agency) => {
  const { query } = call.query as Query<'companies.list'>;
  const paging = page(agency, call, { query });
  const found = listCompanies(agency.db, {
    companies: call.principal.companies,
    query,
    after: paging.position?.map(String)[0],
    limit: paging.limit + 1,
  });
  return ok(paging.reply(found, (company) => [company.id]));
};

export const get: Operation = (call, agency) => ok(addressedCompany(call, agency));

export const update: Operation = (call, agency) => {
  const before = addressedCompany(call, agency);
  const changed: Company = { ...before, ...(call.body as CompanyUpdate) };
  const changes = changesBetween(before, changed);
  const result = changes.length ? { ...changed, updatedAt: iso(agency.clock.now()) } : before;
  if (call.query.dryRun) return ok({ dryRun: true, changes, result });
  if (changes.length) {
    saveCompany(agency.db, result);
    emit(agency, 'company.updated', { id: result.id, companyId: result.id });
  }
  return ok(result);
};
