import type { IWebhookFunctions } from 'n8n-workflow';
import { nameOf, nodeKey } from '../shared/node-identity';
import type { RefusalCause } from './signed-call';

const HOUR_MS = 3_600_000;

const RESOLUTIONS: Record<RefusalCause, string> = {
  secret:
    'the node has no usable signing secret. Unpublish the workflow and publish it again (in n8n 1: deactivate and activate it) to register a new webhook endpoint.',
  clock: 'its timestamp is more than five minutes off. Check the clock of the n8n server.',
};

/** When each node last logged each cause. */
const logged = new Map<string, number>();

/** Logs a refused call that a person can put right, at most once an hour for each node and cause: anyone can call. */
export function logRefusal(context: IWebhookFunctions, cause: RefusalCause): void {
  const key = `${nodeKey(context)} ${cause}`;
  const now = Date.now();
  if (now - (logged.get(key) ?? 0) < HOUR_MS) return;
  logged.set(key, now);
  context.logger.warn(`A webhook call to ${nameOf(context)} was refused: ${RESOLUTIONS[cause]}`);
}
