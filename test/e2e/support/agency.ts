import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type Agency, askAgency } from '../../../tools/n8n/agency';
import { Halt } from '../../../tools/n8n/processes/halt';

/** A coming fault of the sandbox (its README lists the kinds). */
export interface Fault {
  method: string;
  /** A glob. */
  path: string;
  times: number;
  fault: 'reset-before' | 'reset-after' | 'status' | 'delay';
  delayMs?: number;
}

/** Uses one of the sandbox's control routes, e.g. `faults`. */
export const control = <T>(agency: Agency, route: string, body: unknown): Promise<T> =>
  send(`${agency.url}/_sandbox/${route}`, { method: 'POST', body });

/** Plans the sandbox's coming faults in place of those planned before. */
export const planFaults = (agency: Agency, faults: Fault[]): Promise<unknown> =>
  control(agency, 'faults', faults);

/** Reads a whole list from the agency; `path` has a query. */
export async function askForAll<T>(agency: Agency, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { data: T[]; nextCursor: string | null } = await askAgency(
      agency,
      `${path}&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    all.push(...page.data);
    cursor = page.nextCursor;
  }
  return all;
}

/** Changes a company, of which the agency sends an event. Gives the address that the company has then. */
export async function causeEvent(agency: Agency): Promise<string> {
  const { data } = await askAgency<{ data: { id: string }[] }>(agency, '/companies?limit=1');
  const [company] = data;
  if (!company) throw new Halt('The sandbox has no company.');
  const address = `Pikk ${randomUUID()}`;
  await send(`${agency.url}/api/v1/companies/${company.id}`, {
    method: 'PATCH',
    body: { address },
    headers: { authorization: `Bearer ${agency.keys.full}`, 'idempotency-key': randomUUID() },
  });
  return address;
}

/** Lets a document arrive by e-mail and be read, of which the agency sends an event; without content it cannot be read. Gives its id. */
export async function documentArrives(
  agency: Agency,
  companyId: string,
  filename: string,
  content = `This is ${filename}`,
): Promise<string> {
  const { id } = await control<{ id: string }>(agency, 'documents', {
    companyId,
    source: 'email',
    filename,
    contentBase64: Buffer.from(content).toString('base64'),
  });
  await control(agency, 'clock', { advanceSeconds: 10 });
  return id;
}

/** A webhook endpoint as the sandbox keeps it. */
export interface KeptEndpoint {
  id: string;
  url: string;
  secret: string;
  eventTypes: string;
}

/** The endpoints in the data file of a running sandbox. */
export const keptEndpoints = (dataFile: string): KeptEndpoint[] =>
  kept(dataFile, 'SELECT id, url, secret, eventTypes FROM endpoints ORDER BY createdAt').map((row) => ({
    id: String(row['id']),
    url: String(row['url']),
    secret: String(row['secret']),
    eventTypes: String(row['eventTypes']),
  }));

function kept(dataFile: string, query: string) {
  const database = new DatabaseSync(dataFile, { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}

async function send<T>(
  url: string,
  { method, body, headers }: { method: string; body: unknown; headers?: Record<string, string> },
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Halt(`The sandbox answered ${method} ${url} with ${response.status}: ${text}`);
  return JSON.parse(text || 'null') as T;
}
