import { iso, isoOrNull } from '../time/clock';
import type { WebhookEndpoint } from '../records';
import type { Database } from './database';

/** An endpoint with what only the sandbox knows of it. Moments are milliseconds. */
export type StoredEndpoint = Omit<WebhookEndpoint, 'createdAt' | 'lastSuccessAt' | 'lastFailureAt'> & {
  accessId: string;
  /** The signing secret, with its prefix `whsec_`. */
  secret: string;
  createdAt: number;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
};

type EndpointRow = Omit<StoredEndpoint, 'eventTypes' | 'enabled'> & { eventTypes: string; enabled: number };

const endpointOf = (row: EndpointRow): StoredEndpoint => ({
  ...row,
  eventTypes: JSON.parse(row.eventTypes),
  enabled: row.enabled === 1,
});

/** The record as the API shows it: without the secret. */
export function publicEndpoint(endpoint: StoredEndpoint): WebhookEndpoint {
  const { id, url, description, eventTypes, enabled, createdAt, lastSuccessAt, lastFailureAt } = endpoint;
  return {
    id,
    url,
    description,
    eventTypes,
    enabled,
    createdAt: iso(createdAt),
    lastSuccessAt: isoOrNull(lastSuccessAt),
    lastFailureAt: isoOrNull(lastFailureAt),
  };
}

/** Adds the endpoint, or saves it when it is there. */
export function saveEndpoint(db: Database, endpoint: StoredEndpoint): void {
  db.run(
    `INSERT INTO endpoints VALUES (:id, :accessId, :url, :description, :eventTypes, :enabled, :secret, :createdAt,
       :lastSuccessAt, :lastFailureAt)
     ON CONFLICT (id) DO UPDATE SET url = :url, description = :description, eventTypes = :eventTypes, enabled = :enabled`,
    { ...endpoint, eventTypes: JSON.stringify(endpoint.eventTypes), enabled: endpoint.enabled ? 1 : 0 },
  );
}

/** The endpoint with this ID, if it belongs to the access. */
export function findEndpoint(db: Database, id: string, accessId: string): StoredEndpoint | undefined {
  const row = db.get<EndpointRow>('SELECT * FROM endpoints WHERE id = :id AND accessId = :accessId', {
    id,
    accessId,
  });
  return row && endpointOf(row);
}

/** The endpoints that are not paused. */
export function enabledEndpoints(db: Database): StoredEndpoint[] {
  return db.all<EndpointRow>('SELECT * FROM endpoints WHERE enabled = 1').map(endpointOf);
}

/** Removes the endpoint with its deliveries. */
export function deleteEndpoint(db: Database, id: string): void {
  db.run('DELETE FROM deliveries WHERE endpointId = :id', { id });
  db.run('DELETE FROM endpoints WHERE id = :id', { id });
}

/** Notes when the address last answered well, or did not. */
export function noteOutcome(db: Database, id: string, succeeded: boolean, now: number): void {
  const column = succeeded ? 'lastSuccessAt' : 'lastFailureAt';
  db.run(`UPDATE endpoints SET ${column} = :now WHERE id = :id`, { id, now });
}
