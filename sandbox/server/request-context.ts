import type { Principal } from '../access/authentication';
import type { FaultPlan } from '../control/faults';
import type { LoggedRequest } from '../control/request-log';

/** What the server knows of a request to the API on its way. */
export interface Visit {
  logged: LoggedRequest;
  /** The planned fault that hits it. */
  fault?: FaultPlan;
  /** Its delay is over, or under way. */
  heldBack?: boolean;
  /** What an uploaded file is said to be, by its header `Content-Type`. */
  mimeType?: string;
  /** Who asks; known once the key is checked. */
  principal?: Principal;
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
  }
  interface FastifyContextConfig {
    /** The body is a file, which the operation streams to its place. */
    takesBytes?: boolean;
  }
}
