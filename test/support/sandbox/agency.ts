import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startSandbox } from '../../../sandbox';
import type { WebhookEndpoint } from '../../../sandbox/records';
import type { AgencyCredential } from '../credentials';
import { type TestSandbox, testSandbox } from './sandbox';

/** What the agency has of a webhook endpoint. */
export type KeptEndpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'enabled'> & { eventTypes: string[] };

/** A sandbox whose webhook endpoints can be looked at in its data: the API has no list of them. */
export class Agency {
  private constructor(
    readonly sandbox: TestSandbox,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Agency> {
    const folder = await mkdtemp(join(tmpdir(), 'agency-'));
    const sandbox = await startSandbox({ data: join(folder, 'data'), documents: 50, rateLimit: 'off' });
    return new Agency(testSandbox(sandbox), folder);
  }

  async stop(): Promise<void> {
    await this.sandbox.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Without faults, and without the endpoints of the key `full`. */
  async clear(): Promise<void> {
    await this.sandbox.control('faults', []);
    for (const { id } of this.endpoints()) await this.remove(id);
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

  /** The next requests of a method to the webhook endpoints are answered with an error, or broken off. */
  async fault(method: string, times: number, fault: Record<string, unknown>): Promise<void> {
    const path = method === 'POST' ? '/webhook-endpoints' : '/webhook-endpoints/*';
    await this.sandbox.control('faults', [{ method, path, times, fault: 'status', ...fault }]);
  }

  /** Somebody with the key `full` changes an endpoint. */
  async change(id: string, changes: Partial<KeptEndpoint>): Promise<void> {
    await this.sandbox.call({ method: 'PATCH', path: `/webhook-endpoints/${id}`, body: changes });
  }

  /** Somebody with the key `full` removes an endpoint. */
  async remove(id: string): Promise<void> {
    await this.sandbox.call({ method: 'DELETE', path: `/webhook-endpoints/${id}` });
  }

  /** How many requests have been made. */
  async asked(): Promise<number> {
    return (await this.sandbox.requests()).length;
  }
}
