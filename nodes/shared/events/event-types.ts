import type { INodePropertyOptions } from 'n8n-workflow';
import type { Schemas } from '../api/routes';
import { isRecord } from '../values/json';

/** An event type of the API. */
export type EventType = Schemas['EventType'];

/** Sent to an endpoint on request, to see whether it answers. */
export const TEST_EVENT = 'webhook.test' satisfies EventType;

/** An event as the agency gives it. Its type may be one that this version does not know. */
export type AgencyEvent = Omit<Schemas['Event'], 'type'> & { type: string };

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
    when: 'A document arrives: uploaded, by email, from a drive, or through the API',
    scope: 'documents:read',
  },
  'document.ocr_completed': {
    name: 'Document Recognized',
    when: 'Text recognition of a document is complete and its data is ready',
    scope: 'documents:read',
  },
  'document.ocr_failed': {
    name: 'Recognition Failed',
    when: 'Text recognition of a document failed',
    scope: 'documents:read',
  },
  'obligation.updated': {
    name: 'Month-End Work Updated',
    when: 'The status or the assignee of month-end work changes',
    scope: 'work:read',
  },
  'task.completed': {
    name: 'Task Completed',
    when: 'An AI task receives its result',
    scope: 'tasks:read',
  },
  'company.updated': {
    name: 'Company Updated',
    when: 'The data of a company changes',
    scope: 'companies:read',
  },
  'company.settings_updated': {
    name: 'Company Settings Updated',
    when: 'The settings of a company change',
    scope: 'companies:read',
  },
  [TEST_EVENT]: {
    name: 'Webhook Test',
    when: 'Someone sends a test event to the endpoint',
  },
};

/** The event types as entries of a dropdown, each with when it occurs and the scope that it needs. */
export const EVENT_TYPE_OPTIONS: INodePropertyOptions[] = Object.entries(EVENTS).map(
  ([value, { name, when, scope }]) => ({
    name,
    value,
    description: scope === undefined ? `${when}. Needs no scope.` : `${when}. Needs the scope ${scope}.`,
  }),
);

/** Names of the event types, as the API writes them. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENTS).filter(isEventType);

function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

/** Whether a value is an event (spec: Event). Every field is always present, but nothing says that a text is not empty. */
export function isAgencyEvent(value: unknown): value is AgencyEvent {
  return (
    isRecord(value) &&
    isText(value.id) &&
    isText(value.type) &&
    isText(value.createdAt) &&
    (value.companyId === null || typeof value.companyId === 'string') &&
    isRecord(value.subject) &&
    typeof value.subject.type === 'string' &&
    typeof value.subject.id === 'string' &&
    isRecord(value.data)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
