import type { Host } from '../../tools/n8n/install';
import type { Say, Stage, StageOptions, Undo } from '../../tools/n8n/stage';
import type { Variant } from './variants';

/** One thing that a part looked at. `trouble` says why it did not hold. */
export interface Finding {
  part: string;
  variant: Variant;
  what: string;
  trouble?: string;
}

/** What a part gets. */
export interface Context {
  /** The n8n that the part is tried in now. */
  variant: Variant;
  /** The packed package, as it is published. */
  tarball: string;
  say: Say;
  /** Taken back after the part, from the last to the first, however it ended. */
  undo: Undo;
  /**
   * Looks at one thing that has to hold; it holds when `look` does not throw. Gives what `look` gives,
   * `undefined` when it did not hold, so that the next things can still be looked at.
   */
  check<T>(what: string, look: () => Promise<T>): Promise<T | undefined>;
  /** The variant's n8n, installed if it is missing, with the Node.js to run it on. */
  host(): Promise<Host>;
  /** Sets a stage with that n8n and the package. It is taken down after the part. */
  stage(options?: Partial<Omit<StageOptions, 'host'>>): Promise<Stage>;
}

/** A part of the end-to-end tests. What it throws outside of a check counts as not held. */
export interface Part {
  name: string;
  /** The n8ns that it is tried in, one after the other, each with what it sets up anew. */
  on: Variant[];
  run(context: Context): Promise<void>;
}
