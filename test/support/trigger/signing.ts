import { Webhook } from 'svix';
import type { AgencyEvent } from '../../../nodes/shared/events/event-types';

/** The secret of the Standard Webhooks project's own test vectors. */
export const VECTOR_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** An event in the shape of the API, with what is given put over it. */
export function anEvent(changes: Partial<AgencyEvent> = {}): AgencyEvent {
  return {
    id: 'evt_1',
    type: 'document.ocr_completed',
    createdAt: '2026-11-27T10:00:00.000Z',
    companyId: 'company_1',
    subject: { type: 'document', id: 'document_1' },
    data: {},
    ...changes,
  };
}

/** The header values that svix, which shares no code with this project, signs a body with. */
export function signedHeaders(secret: string, id: string, seconds: number, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1000), body),
  };
}

/** A genuine call, signed by svix now. */
export function signedCall(body: string, secret = VECTOR_SECRET, id = 'evt_1') {
  const seconds = Math.floor(Date.now() / 1000);
  return { headers: signedHeaders(secret, id, seconds, body), rawBody: Buffer.from(body), secret };
}
