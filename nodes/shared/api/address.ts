import { InputError } from '../input-error';

const FIELD = 'Agency Address';
const WAY_OUT = 'Enter the address of your agency as in your browser, e.g. https://agency.example.';
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
 * @param address as a person pastes it: with or without a scheme, spaces around, a path or more behind the host
 * @throws InputError when it is no `https` address (`http` is for loopback hosts only), or holds a password
 */
export function agencyOrigin(address: unknown): string {
  const pasted = typeof address === 'string' ? address.trim() : '';
  if (pasted === '') throw new InputError(FIELD, 'is empty.', WAY_OUT);
  const text = withScheme(pasted);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    throw new InputError(FIELD, 'is not a web address such as https://agency.example.', WAY_OUT);
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new InputError(FIELD, 'must begin with https://.', WAY_OUT);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(FIELD, 'must not contain a user name or password.', WAY_OUT);
  }
  return url.origin;
}

/** An address without a scheme is an `https` one; on this machine, where the sandbox is, an `http` one. */
function withScheme(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  const [host = ''] = text.split(/(?::\d+)?(?:[/?#]|$)/);
  return `${isLoopback(host) ? 'http' : 'https'}://${text}`;
}
