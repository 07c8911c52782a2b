import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Sandbox, startSandbox } from '../../sandbox';
import type { AgencyCredential } from './credentials';

/** What the agency has of a webhook endpoint, read from its own data. */
export interface KeptEndpoint {
  id: string;
  url: string;
  eventTypes: string[];
  enabled: boolean;
}

/** A sandbox whose webhook endpoints can be looked at: the API has no list of them. */
export class Agency {
  private constructor(
    readonly sandbox: Sandbox,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Agency> {
    const folder = await mkdtemp(join(tmpdir(), 'agency-'));
    return new Agency(
      await startSandbox({ data: join(folder, 'data'), documents: 0, rateLimit: 'off' }),
      folder,
    );
  }

  async stop(): Promise<void> {
    await this.sandbox.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  credential(token: string = this.sandbox.keys.full): AgencyCredential {
    return { address: this.sandbox.url, token };
  }

  /** All webhook endpoints that there are, of every access. */
  endpoints(): KeptEndpoint[] {
    const database = new DatabaseSync(join(this.folder, 'data'), { readOnly: true });
    try {
      return database
        .prepare('SELECT id, url, eventTypes, enabled FROM endpoints ORDER BY createdAt, id')
        .all()
        .map(({ id, url, eventTypes, enabled }) => ({
          id: String(id),
          url: String(url),
          eventTypes: JSON.parse(String(eventTypes)),
          enabled: enabled === 1,
        }));
    } finally {
      database.close();
    }
  }

  /** A control route, e.g. `faults`. */
  async control(route: string, body: unknown): Promise<Record<string, unknown>> {
    return await this.send('POST', `/_sandbox/${route}`, body);
  }

  /** The next requests of a method to the webhook endpoints are answered with an error, or broken off. */
  async fault(method: string, times: number, fault: Record<string, unknown>): Promise<void> {
    const path = method === 'POST' ? '/webhook-endpoints' : '/webhook-endpoints/*';
    await this.control('faults', [{ method, path, times, fault: 'status', ...fault }]);
  }

  /** A request of somebody else with the key `full`. */
  async api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    return await this.send(method, `/api/v1${path}`, body, this.sandbox.keys.full);
  }

  /** What has been asked of the agency: method and path. */
  async requests(): Promise<string[]> {
    const response = await fetch(`${this.sandbox.url}/_sandbox/requests`);
    const list: Array<{ method: string; path: string }> = JSON.parse(await response.text());
    return list.map(({ method, path }) => `${method} ${path}`);
  }

  private async send(
    method: string,
    path: string,
    body: unknown,
    key?: string,
  ): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.sandbox.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
}
