import type { IDataObject } from 'n8n-workflow';
import type { AgencyCall } from '../../shared/api/client';
import { isRecord } from '../../shared/values/json';
import type { Item } from './item';
import { fingerprint } from './keys';

/** Enough of a fingerprint to tell the changes of an execution apart; it is stored with the execution. */
const KEY_LENGTH = 20;

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
    { path, body }: AgencyCall,
  ) {
    this.key = fingerprint(item.identity('approval'), path, body).slice(0, KEY_LENGTH);
  }

  get(): KnownApproval | undefined {
    const known = this.entries[this.key];
    return isRecord(known) && typeof known.approvalId === 'string'
      ? { ...known, approvalId: known.approvalId }
      : undefined;
  }

  keep(approval: KnownApproval): void {
    this.item.memory.approvals = { ...this.entries, [this.key]: approval };
  }

  private get entries(): Record<string, unknown> {
    const { approvals } = this.item.memory;
    return isRecord(approvals) ? approvals : {};
  }
}
