import type { INodePropertyOptions } from 'n8n-workflow';
import type { Schemas } from '../api/types';

/** An event type of the API. */
export type EventType = Schemas['EventType'];

/** Sent on request to an endpoint, by whoever wants to see whether it answers. */
export const TEST_EVENT = 'webhook.test' satisfies EventType;

interface EventFacts {
  name: string;
  /** When it occurs. */
  when: string;
  /** The scope that a key needs to see it; none for the test event. */
  scope?: string;
}

/** The event types that this version knows (spec: Events). */
export const EVENTS: Record<EventType, EventFacts> = {
  'document.received': {
    name: 'Document Received',
    when: 'A document arrives: uploaded, by e-mail, from a drive, or through the API',
    scope: 'documents:read',
  },
  'document.ocr_completed': {
    name: 'Document Read',
    when: 'A document has been read and its data is ready',
    scope: 'documents:read',
  },
  'document.ocr_failed': {
    name: 'Document Not Readable',
    when: 'A document could not be read',
    scope: 'documents:read',
  },
  'obligation.updated': {
    name: 'Obligation Updated',
    when: 'The status or the assignee of month-end work changed',
    scope: 'work:read',
  },
  'task.completed': {
    name: 'Task Completed',
    when: 'An AI task received its result',
    scope: 'tasks:read',
  },
  'company.updated': {
    name: 'Company Updated',
    when: 'Data of a company changed',
    scope: 'companies:read',
  },
  'company.settings_updated': {
    name: 'Company Settings Updated',
    when: 'Settings of a company changed',
    scope: 'companies:read',
  },
  [TEST_EVENT]: {
    name: 'Webhook Test',
    when: 'Somebody tests the endpoint, to see whether it answers',
  },
};

/** The event types as entries of a dropdown, each with what it tells and the scope that it needs. */
export const EVENT_TYPE_OPTIONS: INodePropertyOptions[] = Object.entries(EVENTS).map(
  ([value, { name, when, scope }]) => ({
    name,
    value,
    description: scope === undefined ? `${when}. Needs no scope.` : `${when}. Needs the scope ${scope}.`,
  }),
);

/** Names of the event types, as the API writes them. */
export const EVENT_TYPES: readonly string[] = Object.keys(EVENTS);
