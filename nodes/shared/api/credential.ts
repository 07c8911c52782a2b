import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IPollFunctions,
  ITriggerFunctions,
} from 'n8n-workflow';
import { InputError } from '../input-error';
import { AgencyClient, type ClientOptions } from './client';

/** The one credential type of the package. */
const CREDENTIAL_TYPE = 'accountingAgencyApi';

const ADDRESS = 'Agency Address';
const WAY_OUT =
  'Enter the address of your agency as it appears in your browser, e.g. https://agency.example.';
/** What is copied along with an address or a key: spaces, also invisible ones, and quotation marks and brackets. */
const AROUND = String.raw`[\s\u00ad\u200b-\u200f\u2060"'\x60\u00ab\u00bb\u2018-\u201e<>]`;
/** What is around an address. Also a part of an expression, so without the flag `u`. */
export const ADDRESS_EDGES = new RegExp(`^${AROUND}+|${AROUND}+$`, 'g');
/** What is around a key, with the name of its header and the word before it. */
const KEY_EDGES = new RegExp(
  `^(?:${AROUND}|authorization["'\\s]*:|bearer(?=${AROUND}|$))+|${AROUND}+$`,
  'gi',
);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** While a person waits, at activation or for a list, a request is repeated once or twice at most. */
const WHILE_WAITED_FOR: ClientOptions = {
  attempts: 3,
  // n8n 2.x activates up to five times and gives up after 84 seconds; only an error of the node itself names the agency.
  timeoutMs: 10_000,
};

/** Whether a host, as `URL` writes it, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * The one normal form of an agency address: its origin, e.g. `https://agency.example`.
 *
 * @param address as a person pastes it: with or without a scheme, with `AROUND` at its ends, a path or more behind the host
 * @throws InputError when it is no `https` address (`http` is for loopback hosts only), or holds a password
 */
export function agencyOrigin(address: unknown): string {
  const pasted = typeof address === 'string' ? address.replace(ADDRESS_EDGES, '') : '';
  if (pasted === '') throw new InputError(ADDRESS, 'is empty.', WAY_OUT);
  const text = withScheme(pasted);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) {
    throw new InputError(ADDRESS, 'is not a web address such as https://agency.example.', WAY_OUT);
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new InputError(ADDRESS, 'must begin with https://.', WAY_OUT);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError(ADDRESS, 'must not contain a user name or password.', WAY_OUT);
  }
  return url.origin;
}

/** An address without a scheme is an `https` one; on this machine, where the sandbox is, an `http` one. */
function withScheme(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  const [host = ''] = text.split(/(?::\d+)?(?:[/?#]|$)/);
  return `${isLoopback(host) ? 'http' : 'https'}://${text}`;
}

/**
 * The key as it is sent: without what it was copied along with, such as quotation marks or `Authorization: Bearer`.
 *
 * @throws InputError, which does not show the key, when it is empty, or holds what no header can
 */
export function agencyKey(token: unknown): string {
  const key = typeof token === 'string' ? token.replace(KEY_EDGES, '') : '';
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const problem = /\s/.test(key)
    ? 'contains a space or a line break.'
    : 'contains characters that no key has.';
  throw new InputError(
    'API Key or Access Token',
    key === '' ? 'is empty.' : problem,
    'Copy the whole key into the credential again.',
  );
}

/** A request's address as n8n's helpers hold it: the older one, which the HTTP Request node uses, calls it `uri`. */
type Addressed = IHttpRequestOptions & { uri?: unknown; rejectUnauthorized?: unknown };

/**
 * Adds the key to a request to the agency itself, and refuses every other origin; redirects are not followed, so
 * that the key cannot leave that way either (spec: Authentication 1 and 5).
 *
 * @param credentials `address` and `token`
 * @throws InputError for another origin, an address that cannot be used, or an empty key
 */
export function withKey(
  credentials: ICredentialDataDecryptedObject,
  request: Addressed,
): IHttpRequestOptions {
  const origin = agencyOrigin(credentials.address);
  const token = agencyKey(credentials.token);
  const targets = [request.uri, request.url].filter((target) => target !== undefined && target !== '');
  if (
    targets.length === 0 ||
    !targets.every((target) => originOf(String(target), request.baseURL) === origin)
  ) {
    throw new InputError(
      'URL',
      `must begin with ${origin}/, since the key of this credential is sent to no other address.`,
      `Use an address that begins with ${origin}/, or another credential.`,
    );
  }
  if (isOpenToOthers(request)) {
    throw new InputError(
      'This request',
      'would let someone else read the key: it uses its own proxy, or does not check certificates.',
      'Remove the options Proxy and Ignore SSL Issues from the node. To use a proxy for all of n8n, set its environment variable HTTPS_PROXY.',
    );
  }
  return Object.assign({}, request, {
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
    disableFollowRedirect: true,
    followRedirect: false,
    followAllRedirects: false,
    sendCredentialsOnCrossOriginRedirect: false,
  });
}

/** Whether a user of the credential has set what lets a machine of their own see the request. */
function isOpenToOthers({ proxy, skipSslCertificateValidation, rejectUnauthorized }: Addressed): boolean {
  const hasProxy: unknown = proxy;
  return Boolean(hasProxy) || skipSslCertificateValidation === true || rejectUnauthorized === false;
}

function originOf(target: string, base: string | undefined): string | undefined {
  return URL.canParse(target, base) ? new URL(target, base).origin : undefined;
}

type Context =
  IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** What a credential says: the agency, the key, and what n8n's helper is handed with each request. */
interface Credential {
  origin: string;
  secret: string;
  data: ICredentialDataDecryptedObject;
}

/**
 * A client for the agency of a node's credential. The credential is read and decrypted once, here, and handed on
 * with each request.
 *
 * @throws InputError when the credential's address or key cannot be used
 */
export async function agencyClient(context: Context, options: ClientOptions = {}): Promise<AgencyClient> {
  const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
  return clientOf(context, usable(data), options);
}

/**
 * The clients of a run: each item acts with its own credential, whose fields may hold expressions, and items of the
 * same credential share one client, so that they share its pace.
 *
 * @returns gives the client of an item, by its number from 0; throws InputError like `agencyClient`
 */
export function itemClients(context: IExecuteFunctions): (itemIndex: number) => Promise<AgencyClient> {
  const clients = new Map<string, AgencyClient>();
  return async (itemIndex) => {
    const data = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE, itemIndex);
    const credential = usable(data);
    const key = JSON.stringify([credential.origin, credential.secret]);
    const client = clients.get(key) ?? clientOf(context, credential, {});
    clients.set(key, client);
    return client;
  };
}

/** Read before the first request, since errors of n8n's helper would count as those of the network. */
function usable(data: ICredentialDataDecryptedObject): Credential {
  return { secret: agencyKey(data.token), origin: agencyOrigin(data.address), data };
}

function clientOf(
  context: Context,
  { origin, secret, data }: Credential,
  options: ClientOptions,
): AgencyClient {
  const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data };
  const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
  return new AgencyClient(
    async (request) =>
      await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_TYPE, request, {
        credentialsDecrypted,
      }),
    origin,
    { ...('getInputData' in context ? {} : WHILE_WAITED_FOR), secret, signal, ...options },
  );
}
