import type { HostVersion } from '../../tools/n8n/install';
import type { Say, Stage, StageOptions, Undo } from '../../tools/n8n/stage';

/** One thing that a part looked at. `trouble` says why it did not hold. */
export interface Finding {
  part: string;
  /** Absent for what concerns the part as a whole. */
  version?: HostVersion;
  what: string;
  seconds: number;
  trouble?: string;
}

/** What a part gets. */
export interface Context {
  /** The packed package, as it is published. */
  tarball: string;
  say: Say;
  /** Taken back after the part, from the last to the first, however it ended. */
  undo: Undo;
  /**
   * Looks at one thing that has to hold on this n8n; it holds when `look` does not throw. Gives what
   * `look` gives, `undefined` when it did not hold, so that the next things can still be looked at.
   */
  check<T>(version: HostVersion, what: string, look: () => Promise<T>): Promise<T | undefined>;
  /** Installs that n8n if it is missing, and sets a stage with the package. It is taken down after the part. */
  stage(version: HostVersion, options?: Partial<Omit<StageOptions, 'host'>>): Promise<Stage>;
}

/** A part of the end-to-end tests. What it throws outside of a check counts as not held. */
export interface Part {
  name: string;
  run(context: Context): Promise<void>;
}
