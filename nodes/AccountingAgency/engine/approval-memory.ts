import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../../shared/api/routes';
import { isRecord } from '../../shared/values/json';
import type { Item } from './item';
import { fingerprint } from './idempotency';

/** Enough of a fingerprint to tell the changes of an execution apart; it is stored with the execution. */
const KEY_LENGTH = 20;

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

/** The approval that an earlier try of the same change asked for: in the node's context, which n8n keeps for retries. */
export class AskedApprovals {
  private readonly key: string;

  constructor(
    private readonly item: Item,
    { path, body }: Call<GuardedRoute>,
  ) {
    this.key = fingerprint(item.identity('approval'), path, body).slice(0, KEY_LENGTH);
  }

  /** The approval to go on with; one that was rejected is left alone, but by tries of the same execution. */
  get(): KnownApproval | undefined {
    const entry = this.entries[this.key];
    if (!isRecord(entry) || typeof entry.approvalId !== 'string') return undefined;
    const { rejectedIn, ...known } = entry;
    // "Retry On Fail" must not ask an administrator again who has just said no.
    const isOver = rejectedIn !== undefined && rejectedIn !== this.execution;
    return isOver ? undefined : { ...known, approvalId: entry.approvalId };
  }

  /** Notes that an administrator has rejected the change, so that the next execution of it asks anew. */
  reject(approval: KnownApproval): void {
    this.store({ ...approval, rejectedIn: this.execution });
  }

  keep(approval: KnownApproval): void {
    this.store(approval);
  }

  private store(entry: IDataObject): void {
    this.item.memory.approvals = { ...this.entries, [this.key]: entry };
  }

  private get execution(): string {
    return this.item.node.getExecutionId();
  }

  private get entries(): Record<string, unknown> {
    const { approvals } = this.item.memory;
    return isRecord(approvals) ? approvals : {};
  }
}
