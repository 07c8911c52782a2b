import { anEvent, signedCall } from '../../support/trigger/signing';

/** The agency takes no answer within this time for none. */
const ANSWER_MS = 10_000;

/** An event that calls a webhook address. */
export interface SignedEvent {
  url: string;
  /** The signing secret of the endpoint. */
  secret: string;
  id: string;
  type: string;
}

/** Calls as the agency does, once. `false` when nobody answers in time, or not with a status of success. */
export async function isTaken({ url, secret, id, type }: SignedEvent): Promise<boolean> {
  const body = JSON.stringify(anEvent({ id, type }));
  const headers = { 'content-type': 'application/json', ...signedCall(body, secret, id).headers };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch (error) {
    // Not there, cut off, or too late.
    if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return false;
    throw error;
  }
}
