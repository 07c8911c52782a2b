import { isRecord } from '../../../../shared/values/json';
import type { Item } from '../../../engine/item';
import type { PositionStore } from './recognition-feed';

/** Name of the entry in the node's static data. */
const ENTRY = 'recognition';

/**
 * The position in the event feed of a company that the node keeps from one execution to the next, in n8n's static
 * data, which n8n saves for published workflows. Imported data may be damaged: it then counts as none.
 */
export function keptPosition(item: Item, companyId: string): PositionStore {
  const key = `${item.agency} ${companyId}`;
  const data: unknown = item.node.getWorkflowStaticData('node');
  const positions = () => (isRecord(data) && isRecord(data[ENTRY]) ? data[ENTRY] : {});
  return {
    get() {
      const kept = positions()[key];
      return isRecord(kept) && typeof kept.after === 'string' && typeof kept.at === 'string'
        ? { after: kept.after, at: kept.at }
        : undefined;
    },
    set(position) {
      // n8n notices a change at this level only.
      if (isRecord(data)) data[ENTRY] = { ...positions(), [key]: { ...position } };
    },
  };
}
