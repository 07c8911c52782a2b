import type { Agenda } from '../time/schedule';
import type { Clock } from '../time/clock';
import type { Cursors } from '../server/cursors';
import type { Deliveries } from '../webhooks/deliveries';
import type { Database } from '../store/database';
import type { Blobs } from '../store/blobs';
import type { Tokens } from '../access/access-tokens';

/** What every operation works with. */
export interface Agency {
  db: Database;
  clock: Clock;
  blobs: Blobs;
  cursors: Cursors;
  tokens: Tokens;
  agenda: Agenda;
  deliveries: Deliveries;
  /** The agency's address without a trailing slash; also the OAuth resource. */
  address(): string;
}
