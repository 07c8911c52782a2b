import type { INodeProperties } from 'n8n-workflow';
import { EVENT_TYPE_OPTIONS, TEST_EVENT } from '../shared/events/event-types';
import { companiesFields, eventsField, includeField } from '../shared/events/parameters';
import { optionsField } from '../shared/fields/options-field';

/** The node's fields; n8n adds Poll Times. */
export const parameters: INodeProperties[] = [
  // Test events are sent to an endpoint, and are not in the feed.
  eventsField(EVENT_TYPE_OPTIONS.filter(({ value }) => value !== TEST_EVENT)),
  ...companiesFields,
  includeField,
  optionsField([
    {
      displayName: 'Start Date',
      name: 'startDate',
      type: 'dateTime',
      default: '',
      description:
        'Start with events from this date instead of those after the first publication. Changing the date starts over.',
    },
  ]),
];
