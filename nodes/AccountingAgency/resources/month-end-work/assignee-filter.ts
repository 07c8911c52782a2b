import type { INodeProperties } from 'n8n-workflow';

/** The person that obligations are assigned to. The API gives people no names, so it is given by ID. */
export const assigneeFilter: INodeProperties = {
  displayName: 'Assignee User ID',
  name: 'assigneeUserId',
  type: 'string',
  default: '',
  placeholder: 'e.g. 5f3a81c2',
};
