/** Two country letters before a number, as in the VAT code EE101234567. */
const COUNTRY = /^[A-Z]{2}(?=\d)/;

/** The codes of a company, as the agency shows them. */
export interface CompanyCodes {
  registrationCode: string | null;
  vatCode: string | null;
}

/** A code without spaces, dots and dashes, in capital letters. */
export function plainCode(code: string): string {
  return code.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** A code without its country letters, which people leave out of a VAT code. */
export function numberOf(code: string): string {
  return plainCode(code).replace(COUNTRY, '');
}

/** What to search a code by: as it was given, plain, and without its country letters. */
export function searchesFor(code: string): string[] {
  return [...new Set([code, plainCode(code), numberOf(code)])];
}

/**
 * The companies that a code belongs to: those that have exactly this code, or else those whose code is the same when
 * one of the two is read without its country letters.
 */
export function withCode<T extends CompanyCodes>(companies: T[], code: string): T[] {
  const given = plainCode(code);
  const codesOf = ({ registrationCode, vatCode }: T) =>
    [registrationCode, vatCode].flatMap((one) => (one ? [plainCode(one)] : []));
  const exact = companies.filter((company) => codesOf(company).includes(given));
  if (exact.length > 0) return exact;
  return companies.filter((company) =>
    codesOf(company).some((one) => one.replace(COUNTRY, '') === given || one === given.replace(COUNTRY, '')),
  );
}
