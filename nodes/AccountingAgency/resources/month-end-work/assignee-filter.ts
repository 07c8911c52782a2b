import type { INodeProperties } from 'n8n-workflow';
import { requiredId } from '../../../shared/values/text';
import type { Item } from '../../engine/item';
import { filterOf } from '../../fields/list';

/** The person that obligations are assigned to. The API gives people no names, so it is given by ID. */
export const assigneeFilter: INodeProperties = {
  displayName: 'Assignee User ID',
  name: 'assigneeUserId',
  type: 'string',
  default: '',
  placeholder: 'e.g. 5f3a81c2',
};

/** The ID of the person by whom an item filters; `undefined` when it does not. */
export function assigneeFilterOf(item: Item): string | undefined {
  return filterOf(item, assigneeFilter.displayName, assigneeFilter.name, requiredId);
}
