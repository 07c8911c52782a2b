import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { agencyClient } from '../api/credential';
import { nextCursor, pageRows } from '../api/pagination';

const PAGE_SIZE = 100;
/** Spec: Limits, text search `query`. */
const LONGEST_QUERY = 200;

/**
 * One page of the list behind a company field. The agency searches name, short name, registration code and VAT code.
 *
 * @param filter what was typed into the list's search field
 * @param paginationToken the `nextCursor` of the page before
 * @throws AgencyError
 */
export async function searchCompanies(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const client = await agencyClient(this);
  const query = {
    query: [...(filter ?? '').trim()].slice(0, LONGEST_QUERY).join('') || undefined,
    limit: PAGE_SIZE,
    cursor: paginationToken,
  };
  const { body } = await client.request('GET /companies', { query });
  return {
    results: pageRows(body).map(({ id, name, registrationCode }) => ({
      // Companies may share a name; the registration code tells them apart.
      name: registrationCode ? `${name} (${registrationCode})` : name,
      value: id,
    })),
    paginationToken: nextCursor(body),
  };
}
