import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { companyLocator } from '../fields/company-locator';
import { choice } from '../values/text';
import { EVENT_TYPE_OPTIONS } from './event-types';

/** The value of All Events in the field Events. */
export const ALL_EVENTS = 'all';

const ALL_EVENTS_NAME = 'All Events';

/** What the canvas shows below the name of a node that has the field Events: the names of its events. */
export const EVENTS_SUBTITLE = `={{ $parameter.events.includes("${ALL_EVENTS}") ? "${ALL_EVENTS_NAME}" : $parameter.events.map((type) => (${JSON.stringify(
  Object.fromEntries(EVENT_TYPE_OPTIONS.map(({ name, value }) => [value, name])),
)})[type]).join(", ") }}`;

/**
 * The field for the events that start the workflow. n8n's nodes panel finds it by its label and offers each event by
 * its `action`.
 *
 * @param types the event types to choose from
 */
export function eventsField(types: INodePropertyOptions[] = EVENT_TYPE_OPTIONS): INodeProperties {
  return {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    noDataExpression: true,
    required: true,
    options: [
      {
        name: ALL_EVENTS_NAME,
        value: ALL_EVENTS,
        action: 'On any event',
        description: 'Every event that the key has access to, except webhook tests',
      },
      ...types.map((type) => ({ ...type, action: `On ${type.name.toLowerCase()}` })),
    ],
    default: [ALL_EVENTS],
    description: 'The events that start the workflow',
  };
}

/** The fields for the companies whose events start the workflow. */
export const companiesFields: INodeProperties[] = [
  {
    displayName: 'Companies',
    name: 'companies',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'All Companies',
        value: 'all',
        description: 'Events of every company that the key has access to',
      },
      { name: 'Selected Companies', value: 'selected', description: 'Only events of the companies you add' },
    ],
    default: 'all',
    description: 'Companies whose events start the workflow',
  },
  {
    displayName: 'Selected Companies',
    name: 'companyList',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Company' },
    displayOptions: { show: { companies: ['selected'] } },
    default: { values: [] },
    placeholder: 'Add company',
    description: 'Companies whose events start the workflow',
    options: [{ displayName: 'Companies', name: 'values', values: [companyLocator()] }],
  },
];

const INCLUDES = ['nothing', 'record', 'recordAndFile'] as const;

/** What comes with each event. */
export type Include = (typeof INCLUDES)[number];

/** The field for what comes with each event. */
export const includeField: INodeProperties = {
  displayName: 'Include',
  name: 'include',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Event Only', value: 'nothing', description: 'The event as the agency sends it' },
    {
      name: 'Event and Record',
      value: 'record',
      description:
        'Also the document, company or company settings that the event is about, as they are now. One more request per event.',
    },
    {
      name: 'Event, Record and File',
      value: 'recordAndFile',
      description:
        'Also the file of a document, in the binary field "data" (under Binary in the output). Two more requests per event.',
    },
  ],
  default: 'nothing',
  description: 'What to output with each event',
};

/**
 * Reads the value of the field Include.
 *
 * @throws InputError
 */
export function includeOf(value: unknown): Include {
  return choice('Include', value, INCLUDES);
}
