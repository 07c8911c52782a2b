import { useSandbox, type TestSandbox } from '../sandbox/sandbox';
import { startReceiver, type Receiver } from '../proxies/receiver';
import { until } from '../time/until';
import { first } from '../sandbox/pages';
import type { Company, WebhookDelivery, WebhookEndpoint, WebhookTestResult } from '../../../sandbox/records';

/** An endpoint as its creation answers it. */
export type CreatedEndpoint = WebhookEndpoint & { secret: string };

/** What tests of webhooks do. */
export interface WebhookKit {
  sandbox(): TestSandbox;
  /** The address that endpoints of this test point at; a new one for each test. */
  receiver(): Receiver;
  create(body?: object, key?: string): Promise<CreatedEndpoint>;
  update(id: string, body: object): Promise<WebhookEndpoint>;
  /** Makes the test call. */
  sendTest(id: string): Promise<WebhookTestResult>;
  /** Newest first. */
  deliveries(id: string): Promise<WebhookDelivery[]>;
  /** The newest delivery, once its first attempt is over. */
  attempted(id: string): Promise<WebhookDelivery>;
  /** Makes a `company.updated` event. */
  changeCompany(id?: string): Promise<void>;
}

/** A sandbox, and a receiver for each test, of a Jest file. */
export function useWebhooks(): WebhookKit {
  const sandbox = useSandbox();
  let current: Receiver | undefined;
  let changes = 0;
  const receiver = () => {
    if (!current) throw new Error('The receiver runs only while a test does');
    return current;
  };
  beforeEach(async () => {
    current = await startReceiver();
  });
  afterEach(() => receiver().close());

  const path = (id: string) => `/webhook-endpoints/${id}`;
  const deliveries = async (id: string) => {
    const { body } = await sandbox().call<{ data: WebhookDelivery[] }>({ path: `${path(id)}/deliveries` });
    return body.data;
  };
  return {
    sandbox,
    receiver,
    deliveries,
    async create(more = {}, key) {
      const body = { url: receiver().url, eventTypes: ['*'], ...more };
      const answer = await sandbox().call<CreatedEndpoint>({
        method: 'POST',
        path: '/webhook-endpoints',
        body,
        key,
      });
      expect(answer.status).toBe(201);
      return answer.body;
    },
    async update(id, body) {
      const answer = await sandbox().call<WebhookEndpoint>({ method: 'PATCH', path: path(id), body });
      expect(answer.status).toBe(200);
      return answer.body;
    },
    async sendTest(id) {
      const answer = await sandbox().call<WebhookTestResult>({ method: 'POST', path: `${path(id)}/test` });
      expect(answer.status).toBe(200);
      return answer.body;
    },
    attempted: (id) =>
      until('the first attempt', async () => (await deliveries(id)).find(({ attempts }) => attempts > 0)),
    async changeCompany(id) {
      changes += 1;
      const company = id ?? (await first<Company>(sandbox(), '/companies')).id;
      const body = { address: `Pikk ${changes}` };
      const answer = await sandbox().call({ method: 'PATCH', path: `/companies/${company}`, body });
      expect(answer.status).toBe(200);
    },
  };
}
