const EVERY_MS = 2_000;
const TURNS = 5;

interface Lane {
  /** What came since the last turn, since the one before it, and so on. */
  generations: string[][];
  /** Of the newest execution, so that its settings apply and no earlier execution is kept in memory. */
  write: (entries: string[]) => Promise<unknown>;
}

const lanes = new Map<string, Lane>();

/**
 * Writes entries of a list again, every two seconds for ten seconds: a process that stood still in the middle of its
 * own write may put back the list as it was before they came. All that are due in a lane are written in one call.
 *
 * @param write adds to the list what it does not hold; what it throws is not minded, since it is only to make sure
 */
export function refresh(name: string, entries: string[], write: Lane['write']): void {
  const lane = lanes.get(name);
  if (lane !== undefined) {
    lane.generations[0]?.push(...entries);
    lane.write = write;
    return;
  }
  const first = { generations: [[...entries]], write };
  lanes.set(name, first);
  nextTurn(name, first);
}

function nextTurn(name: string, lane: Lane): void {
  // Unlike a timer, it does not keep a process from ending.
  AbortSignal.timeout(EVERY_MS).addEventListener('abort', () => void turn(name, lane));
}

async function turn(name: string, lane: Lane): Promise<void> {
  const due = lane.generations.flat();
  lane.generations = [[], ...lane.generations].slice(0, TURNS);
  if (lane.generations.some((entries) => entries.length > 0)) nextTurn(name, lane);
  else lanes.delete(name);
  await lane.write(due).catch(() => undefined);
}
