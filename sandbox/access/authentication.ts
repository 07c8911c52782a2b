import type { Agency } from '../agency/agency';
import { companyDenied, ApiError, notFound } from '../server/errors';
import type { Scope } from '../records';
import { findAccess, findKey, type Access } from '../store/accesses';
import { companyExists } from '../store/companies';

/** The agency that this server is. Keys of any other one do not work here. */
export const THIS_AGENCY = 'sandbox';

/** Who asks, and what they may. */
export interface Principal {
  /** The key, or the token's subject: what files, rate and idempotency keys belong to. */
  credentialId: string;
  accessId: string;
  scopes: Scope[];
  companies: 'all' | string[];
}

const invalidKey = () =>
  new ApiError('INVALID_API_KEY', 'The key is missing or not valid for this agency.', {
    hint: 'Send "Authorization: Bearer" with a key that was made for this agency and has not expired.',
  });

const principalOf = (credentialId: string, access: Access): Principal => ({
  credentialId,
  accessId: access.id,
  scopes: access.scopes,
  companies: access.companies,
});

async function tokenPrincipal(agency: Agency, token: string): Promise<Principal> {
  const claims = await agency.tokens.verify(token, agency.address()).catch(() => {
    throw invalidKey();
  });
  const access = findAccess(agency.db, claims.subject);
  if (!access) throw invalidKey();
  const scopes = access.scopes.filter((scope) => claims.scopes.includes(scope));
  return principalOf(`token:${access.id}`, { ...access, scopes });
}

/**
 * Who this `Authorization` header stands for.
 * @throws ApiError `INVALID_API_KEY`: missing, wrong, expired, revoked or foreign.
 */
export async function authenticate(agency: Agency, authorization: string | undefined): Promise<Principal> {
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw invalidKey();
  if (token.split('.').length === 3) return tokenPrincipal(agency, token);
  const key = findKey(agency.db, token, THIS_AGENCY);
  const now = agency.clock.now();
  if (!key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) throw invalidKey();
  return principalOf(key.id, key.access);
}

/** Whether a record of this company may be seen. A record of no company is for those who see all. */
export function maySee(principal: Pick<Principal, 'companies'>, companyId: string | null): boolean {
  if (principal.companies === 'all') return true;
  return companyId !== null && principal.companies.includes(companyId);
}

/** @throws ApiError `COMPANY_ACCESS_DENIED` for a filter by a company that exists and is out of reach. */
export function checkFilter(agency: Agency, principal: Principal, companyId: string | undefined): void {
  if (companyId === undefined || maySee(principal, companyId)) return;
  if (companyExists(agency.db, companyId)) throw companyDenied();
}

/** @throws ApiError `NOT_FOUND` or `COMPANY_ACCESS_DENIED` for a company that a body names. */
export function checkBodyCompany(agency: Agency, principal: Principal, companyId: string): void {
  if (!companyExists(agency.db, companyId)) throw notFound('company');
  if (!maySee(principal, companyId)) throw companyDenied();
}
