import type { INodeProperties } from 'n8n-workflow';
import { type PageRequest, readList } from '../../shared/api/pagination';
import { missingValue } from '../../shared/input-error';
import { isOn } from '../../shared/values/booleans';
import { isEmpty, wholeNumber } from '../../shared/values/text';
import type { Item } from '../engine/item';
import type { OutputItem } from '../engine/operation';

const MORE_RESULTS = 'There are more results. To get them, turn on Return All or raise Limit.';

/** The two fields of every list: all rows, or so many. */
export const listFields: INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    displayOptions: { show: { returnAll: [false] } },
    typeOptions: { minValue: 1, numberPrecision: 0 },
    default: 50,
    description: 'Max number of results to return',
  },
];

/** The filters of a list: only those that a user adds are sent. */
export function filtersField(...options: INodeProperties[]): INodeProperties {
  return {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    options,
  };
}

/**
 * The value of a filter; `undefined` for one that was not added, or was left blank.
 *
 * @param label the filter as the user sees it
 * @param read reads a value that is not empty
 * @throws InputError also for an expression that gives nothing: without it, the list would silently cover everything
 */
export function filterOf<T>(
  item: Item,
  label: string,
  name: string,
  read: (label: string, value: unknown) => T,
): T | undefined {
  const path = `filters.${name}`;
  const value = item.value(path);
  const isNothing = isEmpty(value) || (Array.isArray(value) && value.length === 0);
  if (!isNothing) return read(label, value);
  if (isEmpty(item.expression(path)) || item.filledByModel(path)) return undefined;
  throw missingValue(
    label,
    'Without this filter, the list would include everything. Correct the expression, or remove the filter.',
  );
}

/**
 * How many rows an item asks for; `undefined` for all of them.
 *
 * @throws InputError when the limit is no whole number from 1 on, or Return All neither true nor false
 */
export function limitOf(item: Item): number | undefined {
  return isOn('Return All', item.value('returnAll'))
    ? undefined
    : wholeNumber('Limit', item.value('limit'), 1, Number.MAX_SAFE_INTEGER);
}

/**
 * The rows of a list that an item asks for, each as `make` outputs it.
 *
 * @throws InputError when the limit is no whole number from 1 on
 */
export async function listRows<T>(
  item: Item,
  ask: PageRequest<T>,
  make: (row: T) => OutputItem,
): Promise<OutputItem[]> {
  return await upToLimit(item, ask, async (asked, limit) => await readList(asked, make, limit));
}

/**
 * What an item asks for of a list, and a hint at the end of the run if there is more than its limit.
 *
 * @param read reads the list with the given request; what is over the limit is dropped
 * @throws InputError when the limit is no whole number from 1 on
 */
export async function upToLimit<T>(
  item: Item,
  ask: PageRequest<T>,
  read: (ask: PageRequest<T>, limit: number) => Promise<OutputItem[]>,
): Promise<OutputItem[]> {
  const limit = limitOf(item) ?? Number.POSITIVE_INFINITY;
  let morePages = false;
  const rows = await read(async (page) => {
    const answer = await ask(page);
    morePages = Boolean(answer.body.nextCursor);
    return answer;
  }, limit);
  const isCut = rows.length > limit || (rows.length === limit && morePages);
  // n8n itself tells so much of a single item whose limit is no expression.
  const isTold = item.node.getInputData().length === 1 && !item.hasExpression('limit');
  if (isCut && !isTold) item.say(MORE_RESULTS);
  return rows.slice(0, limit);
}
