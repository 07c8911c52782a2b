import type { LoggedRequest } from '../../sandbox/control/request-log';
import { type SandboxProcess, startProcess } from '../support/sandbox/sandbox-process';
import { Floor, uploadFiles } from './floor';
import { runChain, stepMakers, storedFiles } from './in-process';
import { ratio, shown } from './measure';
import { uploadByHttp, uploadByOurs } from './parameters';
import type { Bench } from './table';

const FILES = uploadFiles(400, 10 * 1024);
const WIDTH = 5;
const MOST = 1.05;
const SANDBOX = ['--rate-limit', '600', '--latency', '100', '--documents', '50'];

/** What the agency saw of one contender. */
interface Seen {
  limited: number;
  files: number;
  documents: number;
}

/** 400 uploads against the sandbox's rate limit of 600 requests a minute. */
export const rate: Bench = {
  name: 'rate',
  async run({ rounds, say }) {
    const ours: number[] = [];
    const floor: number[] = [];
    const seen: Seen[] = [];
    const instead = await byHttp();
    for (let round = 1; round <= rounds; round += 1) {
      say(`Round ${round} of ${rounds}: about 80 seconds of waiting for the rate limit ...`);
      const measured = await concurrently();
      ours.push(measured.ours);
      floor.push(measured.floor);
      seen.push(measured.seen);
    }
    const reached = ratio(ours, floor);
    const limited = Math.max(...seen.map((one) => one.limited));
    const whole = seen.every(({ files, documents }) => files === FILES.length && documents === FILES.length);
    return [
      {
        work: '400 uploads at 600 requests a minute, 100 ms latency',
        ours: `${shown(ours, 'ms')}, none failed, answers 429: ${limited}`,
        other: `${instead.failed} of 400 failed, ${instead.files - instead.documents} files without a document`,
        floor: shown(floor, 'ms'),
        ratio: `${reached.toFixed(3)} of the floor, answers 429: ${limited}`,
        target: `at most ${MOST} of the floor, ${WIDTH} answers 429, nothing failed or left over`,
        met: reached <= MOST && limited <= WIDTH && whole,
      },
    ];
  },
};

/** Ours and the floor at the same time, each with a key of its own: nearly all of it is waiting. */
async function concurrently(): Promise<{ ours: number; floor: number; seen: Seen }> {
  const sandbox = await startProcess(SANDBOX);
  try {
    const company = await anyCompany(sandbox);
    const step = (await stepMakers()).ours(uploadByOurs(company, WIDTH));
    const credential = { address: sandbox.url, token: sandbox.keys.full };
    const started = performance.now();
    const floor = new Floor(sandbox.url, sandbox.keys.other)
      .upload(FILES, WIDTH, company)
      .then(() => performance.now() - started);
    const ours = await runChain([step], credential, storedFiles(FILES));
    return {
      ours: ours.milliseconds,
      floor: await floor,
      seen: await seenBy(sandbox, ({ headers }) => headers['idempotency-key'] !== undefined),
    };
  } finally {
    await sandbox.end('SIGTERM');
  }
}

/** Two HTTP Request nodes that go on when an item fails. */
async function byHttp(): Promise<Seen & { failed: number }> {
  const sandbox = await startProcess(SANDBOX);
  try {
    const { http } = await stepMakers();
    const { full } = sandbox.keys;
    const steps = uploadByHttp(sandbox.url, await anyCompany(sandbox), full).map((parameters) => ({
      ...http(parameters),
      onError: 'continueRegularOutput' as const,
    }));
    const { items } = await runChain(steps, { address: sandbox.url, token: full }, storedFiles(FILES));
    const failed = items.filter(({ json }) => json.error !== undefined).length;
    return { failed, ...(await seenBy(sandbox, () => true)) };
  } finally {
    await sandbox.end('SIGTERM');
  }
}

async function seenBy(sandbox: SandboxProcess, isOurs: (request: LoggedRequest) => boolean): Promise<Seen> {
  const answer = await fetch(`${sandbox.url}/_sandbox/requests`);
  const all: LoggedRequest[] = await answer.json().then((body) => (Array.isArray(body) ? body : []));
  const count = (status: number, path: string) =>
    all.filter(isOurs).filter((request) => request.status === status && request.path.endsWith(path)).length;
  return { limited: count(429, ''), files: count(201, '/files'), documents: count(201, '/documents') };
}

async function anyCompany({ url, keys }: SandboxProcess): Promise<string> {
  const answer = await fetch(`${url}/api/v1/companies?limit=1`, {
    headers: { authorization: `Bearer ${keys.readonly}` },
  });
  const { data }: { data: { id: string }[] } = Object(await answer.json());
  const [company] = data;
  if (!company) throw new Error('The sandbox has no company.');
  return company.id;
}
