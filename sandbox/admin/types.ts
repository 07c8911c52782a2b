import type { Change, Document, Event, Scope, Task, WebhookDelivery } from '../records';

/** What the page `/admin` shows. */
export interface AdminView {
  /** The agency's address, without a trailing slash. */
  agencyUrl: string;
  /** The sandbox's own time (ISO 8601), which may be ahead of the machine's. */
  now: string;
  /** The pending ones, newest first. */
  approvals: ApprovalView[];
  /** The open ones. */
  tasks: TaskView[];
  keys: KeyView[];
  /** The newest ones, newest first. */
  documents: DocumentView[];
  events: EventView[];
  deliveries: DeliveryView[];
}

/** One approval: on `/admin` in short, on its own page (`approvalUrl`) whole. */
export interface ApprovalView {
  id: string;
  status: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
  operationId: string;
  companyName: string | null;
  reason: string;
  changes: Change[];
  /** Path of its own page, and of the form that decides (POST, form field `decision`: `approved` or `rejected`). */
  path: string;
  /** Name of the access that asked. */
  requestedBy: string;
  createdAt: string;
  expiresAt: string;
  decidedAt: string | null;
}

/** A task that waits for its result. */
export type TaskView = Pick<Task, 'id' | 'companyName' | 'instruction' | 'createdAt'>;

/** A key. */
export interface KeyView {
  name: string;
  /** The key itself; `null` for one that was made on request, of which only the hash is kept. */
  value: string | null;
  scopes: 'all' | Scope[];
  /** `all`, or the names of the companies. */
  companies: 'all' | string[];
  state: 'active' | 'expired' | 'revoked';
  expiresAt: string | null;
}

/** A document as the page lists it. */
export interface DocumentView extends Pick<
  Document,
  'id' | 'name' | 'originalFilename' | 'source' | 'stage' | 'receivedAt'
> {
  companyName: string | null;
}

/** An event as the page lists it. */
export interface EventView extends Pick<Event, 'id' | 'type' | 'createdAt' | 'subject'> {
  companyName: string | null;
}

/** An attempt to call an endpoint as the page lists it. */
export interface DeliveryView extends WebhookDelivery {
  endpointUrl: string;
}
