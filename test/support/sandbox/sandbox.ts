import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import type { LoggedRequest } from '../../../sandbox/control/request-log';
import type { Schemas } from '../../../nodes/shared/api/routes';
import type { Scope } from '../../../sandbox/records';
import { startAgency } from '../../../tools/n8n/agency';
import { contractProblems } from './contract';

/** A call to the API of a test's sandbox. */
export interface ApiCall {
  method?: string;
  /** Below `/api/v1`, with leading slash. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON, unless it is bytes. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The key to use (`full`); null: none. */
  key?: string | null;
}

/** An answer that keeps to the contract. `T` is what the test expects its body to be. */
export interface ApiAnswer<T> {
  status: number;
  headers: Headers;
  body: T;
  bytes: Buffer;
}

/** The body of a refusal (specification: Errors). */
export type ApiErrorBody = Schemas['Error'];

/** A running sandbox with what tests need to drive it. */
export interface TestSandbox extends Sandbox {
  /** Calls the API, and throws when the answer does not keep to the contract. */
  call<T = ApiErrorBody>(call: ApiCall): Promise<ApiAnswer<T>>;
  /** Posts to `/_sandbox/<route>`, e.g. `control('clock', { advanceSeconds: 61 })`. */
  control<T = unknown>(route: string, body?: unknown): Promise<T>;
  /** Makes a key with these rights. */
  newKey(scopes: Scope[], companies?: 'all' | string[]): Promise<string>;
  /** The requests that arrived, oldest first. */
  requests(): Promise<LoggedRequest[]>;
}

function address(url: string, { path, query = {} }: ApiCall): URL {
  const target = new URL(`${url}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) target.searchParams.set(name, String(value));
  }
  return target;
}

function requestOf({ method = 'GET', body, headers, key }: ApiCall, fullKey: string): RequestInit {
  const isBytes = body instanceof Uint8Array;
  return {
    method,
    headers: {
      ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
      ...(key !== null && { authorization: `Bearer ${key ?? fullKey}` }),
      ...headers,
    },
    body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
  };
}

function checked<T>(call: ApiCall, target: URL, response: Response, bytes: Buffer): ApiAnswer<T> {
  const { status, headers } = response;
  const isJson = (headers.get('content-type') ?? '').startsWith('application/json');
  const body = isJson ? JSON.parse(bytes.toString()) : undefined;
  const method = call.method ?? 'GET';
  const problems = contractProblems({ method, path: target.pathname, status, headers, body });
  if (problems.length) {
    throw new Error(
      `${method} ${target.pathname} answered ${status} and ${problems.join('; ')}: ${bytes.toString()}`,
    );
  }
  return { status, headers, body, bytes };
}

/** Adds what tests need to a sandbox that runs. */
export function testSandbox<S extends Sandbox>(sandbox: S): S & TestSandbox {
  const control = async <T>(route: string, body: unknown = {}) => {
    const response = await fetch(`${sandbox.url}/_sandbox/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`/_sandbox/${route} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    ...sandbox,
    control,
    newKey: async (scopes, companies = 'all') =>
      (await control<{ key: string }>('keys', { scopes, companies })).key,
    async call<T>(call: ApiCall) {
      const target = address(sandbox.url, call);
      const response = await fetch(target, requestOf(call, sandbox.keys.full));
      return checked<T>(call, target, response, Buffer.from(await response.arrayBuffer()));
    },
    async requests() {
      const response = await fetch(`${sandbox.url}/_sandbox/requests`);
      return (await response.json()) as LoggedRequest[];
    },
  };
}

/** Starts a sandbox in a process of its own, on a free port. */
export async function startProcess(args: string[]) {
  const agency = await startAgency({ args });
  return testSandbox({ ...agency, close: () => agency.process.stop() });
}

/**
 * One sandbox for all tests of a Jest file, back at its seed before each.
 * @returns How a test gets at it.
 */
export function useSandbox(options: SandboxOptions = {}): () => TestSandbox {
  let running: TestSandbox | undefined;
  const get = () => {
    if (!running) throw new Error('The sandbox runs only while tests do');
    return running;
  };
  beforeAll(async () => {
    running = testSandbox(await startSandbox(options));
  });
  let used = false;
  beforeEach(async () => {
    if (used) await get().control('reset');
    used = true;
  });
  afterAll(async () => {
    await running?.close();
  });
  return get;
}
