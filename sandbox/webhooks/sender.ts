import { Agent, request } from 'node:https';
import { Webhook } from 'standardwebhooks';
import type { WebhookTestResult } from '../records';
import type { DueDelivery } from '../store/deliveries';
import { SECOND } from '../time/clock';

/** How long an address may take to answer (API specification, Webhook delivery). */
const ANSWER_TIME = 10 * SECOND;

/** How an address answered one call. */
export type Answer = Pick<WebhookTestResult, 'succeeded' | 'statusCode' | 'error'>;

/** Headers after the Standard Webhooks scheme. The time is the machine's, whatever the sandbox's clock says. */
function signedHeaders({ secret, eventId, event }: DueDelivery): Record<string, string> {
  const now = new Date();
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(eventId, now, event),
  };
}

function answerOf(statusCode: number): Answer {
  const succeeded = statusCode >= 200 && statusCode < 300;
  return { succeeded, statusCode, error: succeeded ? null : `The address responded with ${statusCode}` };
}

function reasonOf(reason: Error): string {
  if (reason.name === 'TimeoutError' || reason.name === 'AbortError') {
    return 'The address did not respond within 10 seconds';
  }
  return `The address could not be reached: ${reason.message || ('code' in reason ? String(reason.code) : reason.name)}`;
}

/** Sends signed calls over https. Trusts what Node.js trusts; follows no redirects. */
export class WebhookSender {
  // A connection of its own for each call: one that was kept could close just as it is used again.
  private readonly agent = new Agent({ keepAlive: false });

  /** One POST. Never rejects: whatever happens is an answer. */
  send(delivery: DueDelivery): Promise<Answer> {
    return new Promise((resolve) => {
      const signal = AbortSignal.timeout(ANSWER_TIME);
      const fail = (reason: Error) =>
        resolve({
          succeeded: false,
          statusCode: null,
          error: reasonOf(signal.aborted ? signal.reason : reason),
        });
      const call = request(delivery.url, {
        method: 'POST',
        agent: this.agent,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(delivery.event),
          'user-agent': 'accounting-agency-sandbox',
          ...signedHeaders(delivery),
        },
      });
      call.on('response', (response) => {
        resolve(answerOf(response.statusCode ?? 0));
        // The rest of the answer does not matter, and may break off.
        response.on('error', () => response.destroy()).resume();
      });
      call.on('error', fail);
      call.end(delivery.event);
    });
  }

  /** Breaks off what is being sent. */
  close(): void {
    this.agent.destroy();
  }
}
