import { InputError } from '../input-error';

const FIELD = 'Agency Address';
const WAY_OUT = 'Enter the address of your agency as it stands in the browser, without a path.';
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The path under which the agency serves its API (spec: Placeholders, `{base_url}`). */
export const API_PATH = '/api/v1';

/** Whether a host, as `URL` writes it, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * The one normal form of an agency address: its origin, e.g. `https://agency.example`.
 *
 * @param address as a person enters it: with or without spaces around, trailing slashes, and `/api/v1`
 * @throws InputError when it is no `https` address (`http` is for loopback hosts only) or carries more than an origin
 */
export function agencyOrigin(address: unknown): string {
  const text = typeof address === 'string' ? address.trim() : '';
  if (text === '') throw new InputError(FIELD, 'is empty.', WAY_OUT);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    throw new InputError(FIELD, 'is not a web address such as https://agency.example.', WAY_OUT);
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new InputError(FIELD, 'must begin with https://.', WAY_OUT);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(FIELD, 'must not hold a user name or password.', WAY_OUT);
  }
  const path = url.pathname.replace(/\/+$/, '');
  if ((path !== '' && path !== API_PATH) || url.search !== '' || url.hash !== '') {
    throw new InputError(
      FIELD,
      'must end after the name of the agency, as in https://agency.example.',
      WAY_OUT,
    );
  }
  return url.origin;
}
