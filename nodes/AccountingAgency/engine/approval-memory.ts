import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../../shared/api/routes';
import type { Item } from './item';
import { fingerprint, RememberedEntry } from './idempotency';

/** The one change that an administrator may have to approve (spec: Approval flow). */
export type GuardedRoute = 'PATCH /companies/{id}/settings';

/** What is known of an approval that was asked for (spec: Approval flow, the error's `details`). */
export interface KnownApproval extends IDataObject {
  approvalId: string;
  /** Where an administrator decides. */
  approvalUrl?: string;
  expiresAt?: string;
  reason?: string;
}

/** The approval that an earlier try of the same change asked for. */
export class AskedApprovals {
  private readonly remembered: RememberedEntry;

  constructor(
    private readonly item: Item,
    { path, body }: Call<GuardedRoute>,
  ) {
    const identity = fingerprint(item.identity('approval'), path, body);
    this.remembered = new RememberedEntry(item.memory, 'approvals', identity);
  }

  /** The approval to go on with; one that was rejected is left alone, but by tries of the same execution. */
  get(): KnownApproval | undefined {
    const entry = this.remembered.get();
    if (typeof entry?.approvalId !== 'string') return undefined;
    const { rejectedIn, ...known } = entry;
    // "Retry On Fail" must not ask an administrator again who has just said no.
    const isOver = rejectedIn !== undefined && rejectedIn !== this.execution;
    return isOver ? undefined : { ...known, approvalId: entry.approvalId };
  }

  /** Notes that an administrator has rejected the change, so that the next execution of it asks anew. */
  reject(approval: KnownApproval): void {
    this.remembered.keep({ ...approval, rejectedIn: this.execution });
  }

  keep(approval: KnownApproval): void {
    this.remembered.keep(approval);
  }

  /** Forgets an approval that the agency no longer knows. */
  forget(): void {
    this.remembered.forget();
  }

  private get execution(): string {
    return this.item.node.getExecutionId();
  }
}
