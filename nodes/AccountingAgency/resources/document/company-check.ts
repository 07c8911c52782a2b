import { AgencyError } from '../../../shared/api/errors/agency-error';
import { keepCompanyName } from '../../engine/company-names';
import type { Item } from '../../engine/item';

/** Answers that leave no doubt that nothing can be filed for the company. */
const REFUSALS = ['NOT_FOUND', 'COMPANY_ACCESS_DENIED'];

/**
 * Makes sure that a company is there before bytes are sent for it, so that no file is left behind without a document;
 * asked once per company and run. What the agency does not say now, e.g. for want of the scope `companies:read`,
 * filing the document will say.
 *
 * @throws AgencyError when the agency does not know the company, or the key may not see it
 */
export async function checkRecipient(item: Item, companyId: string): Promise<void> {
  const { checkedCompanies } = item.shared;
  const check = checkedCompanies.get(companyId) ?? ask(item, companyId);
  checkedCompanies.set(companyId, check);
  await check;
}

async function ask(item: Item, companyId: string): Promise<void> {
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
  const resolution = 'Select the company from the list, or check its ID. Nothing was uploaded.';
  return new AgencyError(
    `Company "${companyId}" not found, or the key has no access to it.`,
    refusal.requestId === undefined ? resolution : `${resolution}\nRequest ID: ${refusal.requestId}`,
    refusal,
  );
}
