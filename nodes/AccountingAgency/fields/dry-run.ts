import type { INodeProperties } from 'n8n-workflow';
import { isOn } from '../../shared/values/booleans';
import type { Item } from '../engine/item';

/** Field of updates that the API can try out (spec: `dryRun`). */
export const dryRun: INodeProperties = {
  displayName: 'Dry Run',
  name: 'dryRun',
  type: 'boolean',
  default: false,
  description:
    'Whether to only preview the update. Nothing is saved, and the output shows each change with the values before and after.',
};

/**
 * Whether an item only tries its update.
 *
 * @throws InputError for anything but yes and no, so that no try becomes a change by accident
 */
export function isDryRun(item: Item): boolean {
  return isOn('Dry Run', item.value('dryRun'));
}
