import { isResourceLocatorValue } from 'n8n-workflow';
import { AgencyError } from '../../shared/api/errors/agency-error';
import { notFound } from '../../shared/api/errors/error-messages';
import { readList } from '../../shared/api/pagination';
import type { Schemas } from '../../shared/api/routes';
import { InputError } from '../../shared/input-error';
import { numberOf, plainCode, searchesFor, withCode } from '../../shared/values/company-code';
import { requiredId } from '../../shared/values/text';
import { BY_CODE, COMPANY, COMPANY_ID } from '../fields/company';
import { filterOf } from '../fields/list';
import type { Item } from './item';

type Company = Schemas['Company'];

const FILTER = `filters.${COMPANY_ID}`;

/** Answers that leave no doubt that nothing can be filed for the company. */
const REFUSALS = ['NOT_FOUND', 'COMPANY_ACCESS_DENIED'];

/**
 * The ID of an item's company. A registration or VAT code is looked up, once per value and run.
 *
 * @throws InputError when none was given, or its code belongs to no company or to several
 */
export async function companyOf(item: Item): Promise<string> {
  const given = givenCompany(item);
  return isByCode(item, COMPANY_ID) ? await companyByCode(item, given) : given;
}

/**
 * The ID of the company by which an item filters a list; `undefined` when it does not.
 *
 * @throws InputError like `companyOf`
 */
export async function companyFilterOf(item: Item): Promise<string | undefined> {
  const given = filterOf(item, COMPANY, COMPANY_ID, requiredId);
  return given !== undefined && isByCode(item, FILTER) ? await companyByCode(item, given) : given;
}

/** Tells whether two items write to the same company, without asking the agency. */
export function companyRecord(item: Item): string {
  const given = givenCompany(item);
  return isByCode(item, COMPANY_ID) ? `code:${numberOf(given)}` : given;
}

const givenCompany = (item: Item): string => requiredId(COMPANY, item.value(COMPANY_ID));

function isByCode(item: Item, name: string): boolean {
  const saved = item.saved(name);
  return isResourceLocatorValue(saved) && saved.mode === BY_CODE;
}

async function companyByCode(item: Item, code: string): Promise<string> {
  const { companiesByCode } = item.shared;
  const found = companiesByCode.get(plainCode(code)) ?? lookUp(item, code);
  companiesByCode.set(plainCode(code), found);
  return await found;
}

async function lookUp(item: Item, code: string): Promise<string> {
  if (!/\d/.test(code)) {
    throw new InputError(COMPANY, `is not a registration or VAT code: "${code}".`, 'Check the code.');
  }
  let found: Company[] = [];
  for (const query of searchesFor(code)) {
    const companies = await readList(
      async (page) => await item.request('GET /companies', { query: { query, ...page } }),
      (company) => company,
    );
    found = withCode(companies, code);
    if (found.length > 0) break;
  }
  const [company, ...others] = found;
  if (company === undefined) {
    throw new InputError(
      COMPANY,
      `with registration or VAT code "${code}" not found, or the key has no access to it.`,
      'Check the code, or select the company from the list.',
    );
  }
  if (others.length === 0) {
    keepCompanyName(item, company);
    return company.id;
  }
  const names = found.map(({ name, id }) => `${name} (${id})`).join(', ');
  throw new InputError(
    COMPANY,
    `is ambiguous: ${found.length} companies have the code "${code}": ${names}.`,
    'Select the company from the list, or enter its ID.',
  );
}

/**
 * Makes sure that a company is there before bytes are sent for it, so that no file is left behind without a document;
 * asked once per company and run. What the agency does not say now, e.g. for want of the scope `companies:read`,
 * filing the document will say.
 *
 * @throws AgencyError when the agency does not know the company, or the key may not see it
 */
export async function checkRecipient(item: Item, companyId: string): Promise<void> {
  const { checkedCompanies } = item.shared;
  const check = checkedCompanies.get(companyId) ?? requireCompany(item, companyId);
  checkedCompanies.set(companyId, check);
  await check;
}

async function requireCompany(item: Item, companyId: string): Promise<void> {
  const found = await item
    .request('GET /companies/{id}', { path: { id: companyId } })
    .catch((thrown: unknown) => {
      if (!(thrown instanceof AgencyError)) throw thrown;
      if (REFUSALS.includes(thrown.code ?? '')) throw unknownCompany(companyId, thrown);
      return undefined;
    });
  if (found !== undefined) keepCompanyName(item, found.body);
}

function unknownCompany(companyId: string, refusal: AgencyError): AgencyError {
  return new AgencyError(
    notFound(`company "${companyId}"`),
    'Select the company from the list, or check its ID. Nothing was uploaded.',
    refusal,
  );
}

/** Keeps the name of a company that was read, for the output of records that have its ID alone. */
function keepCompanyName(item: Item, { id, name }: { id: string; name: string }): void {
  item.shared.companyNames.set(id, name);
}

/** The name of a record's company, if the record has the ID alone and this run has read the company. */
export function companyNameOf(item: Item, record: object): { companyName?: string } {
  if (!('companyId' in record) || typeof record.companyId !== 'string' || 'companyName' in record) return {};
  const companyName = item.shared.companyNames.get(record.companyId);
  return companyName === undefined ? {} : { companyName };
}
