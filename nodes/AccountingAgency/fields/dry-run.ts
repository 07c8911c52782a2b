import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Schemas } from '../../shared/api/routes';
import { isOn } from '../../shared/values/booleans';
import { type Choices, oneOf } from '../../shared/values/text';
import { companyNameOf } from '../engine/company';
import type { Item } from '../engine/item';
import type { OutputItem } from '../engine/operation';

const OUTPUT = 'Dry Run Output';

const OUTPUTS: Choices<'all' | 'changes'> = [
  {
    name: 'One Item for Each Change',
    value: 'changes',
    description: 'Field, value before and value after. No item when nothing would change.',
  },
  {
    name: 'One Item with All Changes',
    value: 'all',
    description: 'A list of the changes, and the record as it would be',
  },
];

/** Fields of updates that the API can try out (spec: `dryRun`). */
export const dryRunFields: INodeProperties[] = [
  {
    displayName: 'Dry Run',
    name: 'dryRun',
    type: 'boolean',
    default: false,
    description: 'Whether to only show what the update would change, without saving anything',
  },
  {
    displayName: OUTPUT,
    name: 'dryRunOutput',
    type: 'options',
    displayOptions: { show: { dryRun: [true] } },
    options: OUTPUTS,
    default: 'all',
    description: 'How to output the changes, each with the value before and after',
  },
];

/**
 * Whether an item only tries its update.
 *
 * @throws InputError for anything but yes and no, so that no try becomes a change by accident, and for an output that
 * does not exist, before anything is sent
 */
export function isDryRun(item: Item): boolean {
  const isTry = isOn('Dry Run', item.value('dryRun'));
  if (isTry) outputOf(item);
  return isTry;
}

const outputOf = (item: Item) => oneOf(OUTPUTS)(OUTPUT, item.value('dryRunOutput') ?? 'all');

/**
 * What is output of a dry run.
 *
 * @param make outputs the record as it would be
 */
export function dryRunOutput<T extends { id: string } | { companyId: string }>(
  item: Item,
  { dryRun, changes, result }: { dryRun: true; changes: Array<Schemas['Change']>; result: T },
  make: (result: T) => OutputItem,
): OutputItem[] {
  if (outputOf(item) === 'all')
    return [{ json: { dryRun, changes: [...changes], result: make(result).json } }];
  const companyId = 'companyId' in result ? result.companyId : result.id;
  const company: IDataObject = { ...nameOf(item, result), companyId };
  return changes.map(({ path, before, after }) => ({
    json: { dryRun, path, before: before ?? null, after: after ?? null, ...company },
  }));
}

const nameOf = (item: Item, result: object) =>
  'name' in result ? { companyName: String(result.name) } : companyNameOf(item, result);
