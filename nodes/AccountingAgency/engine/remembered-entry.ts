import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../shared/values/json';
import type { Item } from './item';

/** Enough of a fingerprint to tell the entries of an execution apart; it is stored with the execution. */
const KEY_LENGTH = 20;

/** Something of an item that later tries of the same work know: in the node's context, which n8n keeps for retries. */
export class RememberedEntry {
  private readonly key: string;

  /**
   * @param kind name of the group of entries in the node's context
   * @param identity a fingerprint of what the entry is about, see `Item.identity`
   */
  constructor(
    private readonly item: Item,
    private readonly kind: 'appends' | 'approvals' | 'uploads',
    identity: string,
  ) {
    this.key = identity.slice(0, KEY_LENGTH);
  }

  /** What was kept last; `undefined` when there is nothing. */
  get(): Record<string, unknown> | undefined {
    const entries = this.item.memory[this.kind];
    const entry = isRecord(entries) ? entries[this.key] : undefined;
    return isRecord(entry) ? entry : undefined;
  }

  keep(entry: IDataObject): void {
    const { memory } = this.item;
    const entries = memory[this.kind];
    if (isRecord(entries)) entries[this.key] = entry;
    else memory[this.kind] = { [this.key]: entry };
  }

  forget(): void {
    const entries = this.item.memory[this.kind];
    if (isRecord(entries)) delete entries[this.key];
  }
}
