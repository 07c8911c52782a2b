import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox, type SandboxOptions } from './index';

const USAGE = `Usage: npm run sandbox -- [options]
  --port N          port on 127.0.0.1; 0 takes a free one (4010)
  --data FILE       keep the data in this file, contents of files in the folder FILE.files (memory)
  --documents N     how many documents a fresh agency has (1500)
  --rate-limit N    requests per minute and key, or "off" (600)
  --latency MS      hold the work of every operation back
  --json            print one line of JSON when it is ready (npm run sandbox --silent -- --json)`;

/** What each key is for. */
const ABOUT: Record<keyof Sandbox['keys'], string> = {
  full: 'may do everything, all companies',
  other: 'the same rights, another access',
  readonly: 'may read, all companies',
  singleCompany: 'may do everything, one company',
  revoked: 'was revoked',
  expired: 'has expired',
  foreign: 'belongs to another agency',
};

/** Ends the program with one clear line. */
function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

/** @throws Error that says which option takes what. */
function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
}

/** @throws Error when it is neither a number of requests nor "off". */
function rateLimit(text: string | undefined): number | 'off' | undefined {
  if (text === 'off') return text;
  const most = wholeNumber('rate-limit', text);
  if (most === 0) throw new Error('--rate-limit takes 1 or more, or "off".');
  return most;
}

function readOptions(): SandboxOptions & { json: boolean; help: boolean } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      data: { type: 'string' },
      documents: { type: 'string' },
      'rate-limit': { type: 'string' },
      latency: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    port: wholeNumber('port', values.port),
    data: values.data,
    documents: wholeNumber('documents', values.documents),
    rateLimit: rateLimit(values['rate-limit']),
    latencyMs: wholeNumber('latency', values.latency),
    json: values.json,
    help: values.help,
  };
}

function forPeople({ url, adminUrl, keys, token }: Sandbox): string {
  const names = Object.keys(keys) as (keyof Sandbox['keys'])[];
  const lines = names.map((name) => `  ${name.padEnd(14)}${keys[name]}  ${ABOUT[name]}`);
  return [
    `The sandbox agency is open at ${url}`,
    `Admin page: ${adminUrl}`,
    'Keys:',
    ...lines,
    `Access token (may do what "full" may):\n  ${token}`,
    'Ctrl-C stops it.',
  ].join('\n');
}

async function main(): Promise<void> {
  const { json, help, ...options } = readOptions();
  if (help) return console.log(USAGE);
  const sandbox = await startSandbox(options).catch((reason: NodeJS.ErrnoException) => {
    if (reason.code !== 'EADDRINUSE') stop(`The sandbox did not start: ${reason.message}`);
    return stop(
      `Port ${options.port} is taken. Choose another one with --port, or a free one with --port 0.`,
    );
  });
  const { close, ...ready } = sandbox;
  // A second signal, as a terminal sends it to every program of the group, must not cut the first one short.
  let ending: Promise<never> | undefined;
  const end = () => (ending ??= close().then(() => process.exit(0)));
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  console.log(json ? JSON.stringify(ready) : forPeople(sandbox));
}

main().catch((reason: Error) => stop(`${reason.message}\n${USAGE}`));
