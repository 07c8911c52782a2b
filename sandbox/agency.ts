import type { Agenda } from './agenda';
import type { Clock } from './clock';
import type { Cursors } from './cursors';
import type { Deliveries } from './deliveries';
import type { Database } from './store/database';
import type { Blobs } from './store/blobs';
import type { Tokens } from './tokens';

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
