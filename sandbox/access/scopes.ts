import type { EventType, Scope } from '../records';

/** Every scope (API specification, Authentication). */
export const SCOPES: Scope[] = [
  'companies:read',
  'companies:write',
  'documents:read',
  'documents:write',
  'documents:ocr',
  'work:read',
  'work:write',
  'tasks:read',
  'tasks:create',
  'tasks:write_result',
  'events:read',
  'webhooks:manage',
];

/** The scope needed to see an event (API specification, Events); null: none. */
export const EVENT_SCOPE: Record<EventType, Scope | null> = {
  'document.received': 'documents:read',
  'document.ocr_completed': 'documents:read',
  'document.ocr_failed': 'documents:read',
  'obligation.updated': 'work:read',
  'task.completed': 'tasks:read',
  'company.updated': 'companies:read',
  'company.settings_updated': 'companies:read',
  'webhook.test': null,
};

/** The types that these scopes may see. */
export function visibleTypes(scopes: Scope[]): EventType[] {
  const types = Object.entries(EVENT_SCOPE) as [EventType, Scope | null][];
  return types.filter(([, scope]) => scope === null || scopes.includes(scope)).map(([type]) => type);
}
