import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

/** The system counts CPU time in these. */
const TICK_MS = 10;

/** What the machine had done up to a moment, in milliseconds of CPU time. */
interface Moment {
  at: number;
  all: number;
  ours: number;
}

/** Looks at what other programs do while something is measured here. Linux only, as is what it reads. */
export class Machine {
  private constructor(private readonly before: Moment) {}

  static async watch(): Promise<Machine> {
    return new Machine(await moment());
  }

  /** Which part of the machine's CPU time others have had since `watch`, other virtual machines included. */
  async takenByOthers(): Promise<number> {
    const now = await moment();
    const others = now.all - this.before.all - (now.ours - this.before.ours);
    return Math.max(0, others / (now.at - this.before.at) / availableParallelism());
  }
}

async function moment(): Promise<Moment> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = (await Promise.all(processes.map(statOf))).flatMap((stat) => stat ?? []);
  const parents = new Map(stats.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 0 && (pid === process.pid || isOurs(parents.get(pid)));
  const ours = stats.filter(({ pid }) => isOurs(pid)).reduce((sum, { cpu }) => sum + cpu, 0);
  return { at: performance.now(), all: await cpuOfAll(), ours };
}

/** Interrupts are left out: they are nobody's, also those of the calls that are measured. */
async function cpuOfAll(): Promise<number> {
  const [, user, nice, system, , , , , stolen] = (await readFile('/proc/stat', 'utf8'))
    .split(/\s+/)
    .map(Number);
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (stolen ?? 0)) * TICK_MS;
}

interface Stat {
  pid: number;
  parent: number;
  /** Milliseconds, with those of the children that have ended. */
  cpu: number;
}

async function statOf(pid: string): Promise<Stat | undefined> {
  const [read] = await Promise.allSettled([readFile(`/proc/${pid}/stat`, 'utf8')]);
  // It has ended meanwhile.
  if (read.status === 'rejected') return undefined;
  // The name in brackets may hold spaces and brackets.
  const fields = read.value
    .slice(read.value.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const cpu = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) * TICK_MS;
  return { pid: Number(pid), parent, cpu };
}

/** CPU time of a process in milliseconds, in steps of 10. */
export async function cpuOf(pid: number): Promise<number> {
  return (await statOf(String(pid)))?.cpu ?? 0;
}

/** What others took of the machine while a group of rows was measured. */
export interface Load {
  name: string;
  others: number;
}

/** Others may have so large a part of the machine before it is too busy to judge by the clock. */
const MOST_BY_OTHERS = 0.1;

/** Says whether the machine was quiet enough to judge by what was measured. */
export function verdict(loads: Load[]): string {
  const percent = (part: number) => `${(100 * part).toFixed(0)} %`;
  const most = percent(Math.max(...loads.map(({ others }) => others)));
  const busy = loads.filter(({ others }) => others > MOST_BY_OTHERS).map(({ name }) => name);
  return busy.length === 0
    ? `The machine was quiet: other programs took at most ${most} of its CPU time.`
    : `**The machine was too busy to judge** ${busy.join(', ')}: other programs took up to ${most} of its CPU time. Times by the clock say little then; CPU times and counts still do.`;
}
