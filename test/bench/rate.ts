import type { LoggedRequest } from '../../sandbox/control/request-log';
import type { Company } from '../../sandbox/records';
import { first } from '../support/sandbox/pages';
import { startProcess, type TestSandbox } from '../support/sandbox/sandbox';
import { Floor, uploadFiles } from './contenders/floor';
import { runChain, stepMakers, storedFiles } from './in-process';
import { median, ratios, shown, shownRatio, type Turn } from './measuring/measure';
import { uploadByHttp, uploadByOurs } from './contenders/parameters';
import type { Bench } from './measuring/table';

const FULL = { files: uploadFiles(400, 10 * 1024), limit: 600 };
/** As much more than the limit, so that it takes a minute as well. */
const QUICK = { files: uploadFiles(40, 10 * 1024), limit: 60 };
const ROUNDS = 3;
const WIDTH = 5;
const MOST = 1.05;

type Size = typeof FULL;

/** What the agency saw of one contender. */
interface Seen {
  limited: number;
  files: number;
  documents: number;
}

/** 400 uploads against the sandbox's rate limit of 600 requests a minute, or 40 against one of 60. */
export const rate: Bench = {
  name: 'rate',
  async run({ quick, say }) {
    const size = quick ? QUICK : FULL;
    const count = size.files.length;
    const instead = await byHttp(size);
    const rounds: Round[] = [];
    say(`About ${quick ? 60 : 80 * ROUNDS} seconds of waiting for the rate limit ...`);
    if (quick)
      rounds.push(...(await Promise.all(Array.from({ length: ROUNDS }, async () => await round(size)))));
    else while (rounds.length < ROUNDS) rounds.push(await round(size));
    const [ours, floor] = [rounds.map((one) => one.ours), rounds.map((one) => one.floor)];
    const reached = median(ratios(ours, floor));
    const limited = Math.max(...rounds.map(({ seen }) => seen.limited));
    const whole = rounds.every(({ seen }) => seen.files === count && seen.documents === count);
    return [
      {
        work: `${count} uploads at ${size.limit} requests a minute, 100 ms latency`,
        ours: `${shown(ours, 'ms')}, none failed, answers 429: ${limited}`,
        other: `${instead.failed} of ${count} failed, ${instead.files - instead.documents} files without a document`,
        floor: shown(floor, 'ms'),
        ratio: `${shownRatio(ours, floor)} of the floor, answers 429: ${limited}`,
        target: `at most ${MOST} of the floor, ${WIDTH} answers 429, nothing failed or left over`,
        met: reached <= MOST && limited <= WIDTH && whole,
      },
    ];
  },
};

interface Round {
  ours: Turn;
  floor: Turn;
  seen: Seen;
}

/** Ours and the floor at the same time, each with a key of its own: nearly all of it is waiting. */
async function round({ files, limit }: Size): Promise<Round> {
  const sandbox = await startProcess(sandboxArgs(limit));
  try {
    const { id: company } = await first<Company>(sandbox, '/companies');
    const step = (await stepMakers()).ours(uploadByOurs(company, WIDTH));
    const credential = { address: sandbox.url, token: sandbox.keys.full };
    const started = performance.now();
    const floor = new Floor(sandbox.url, sandbox.keys.other)
      .upload(files, WIDTH, company)
      .then(() => performance.now() - started);
    const ours = await runChain([step], credential, storedFiles(files));
    // The CPU time is that of both.
    return {
      ours: { value: ours.turn.value },
      floor: { value: await floor },
      seen: await seenBy(sandbox, ({ headers }) => headers['idempotency-key'] !== undefined),
    };
  } finally {
    await sandbox.close();
  }
}

/** Two HTTP Request nodes that go on when an item fails. */
async function byHttp({ files, limit }: Size): Promise<Seen & { failed: number }> {
  const sandbox = await startProcess(sandboxArgs(limit));
  try {
    const { http } = await stepMakers();
    const { full } = sandbox.keys;
    const { id: company } = await first<Company>(sandbox, '/companies');
    const steps = uploadByHttp(sandbox.url, company, full).map((parameters) => ({
      ...http(parameters),
      onError: 'continueRegularOutput' as const,
    }));
    const { items } = await runChain(steps, { address: sandbox.url, token: full }, storedFiles(files));
    const failed = items.filter(({ json }) => json.error !== undefined).length;
    return { failed, ...(await seenBy(sandbox, () => true)) };
  } finally {
    await sandbox.close();
  }
}

const sandboxArgs = (limit: number) => [
  '--rate-limit',
  String(limit),
  '--latency',
  '100',
  '--documents',
  '50',
];

async function seenBy(sandbox: TestSandbox, isOurs: (request: LoggedRequest) => boolean): Promise<Seen> {
  const all = await sandbox.requests();
  const count = (status: number, path: string) =>
    all.filter(isOurs).filter((request) => request.status === status && request.path.endsWith(path)).length;
  return { limited: count(429, ''), files: count(201, '/files'), documents: count(201, '/documents') };
}
