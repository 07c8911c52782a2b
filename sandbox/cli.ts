import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox, type SandboxOptions } from '.';
import { isLoopback } from './server/loopback';

const USAGE = `Usage: npm run sandbox -- [options]
  --host ADDRESS    address to listen on, e.g. 0.0.0.0 for other machines (127.0.0.1)
  --port N          port; 0 for any free one (4010)
  --data FILE       keep the data in this file, and file contents in the folder FILE.files (memory)
  --documents N     number of documents in a new agency (1500)
  --rate-limit N    requests per minute for each key, or "off" (600)
  --latency MS      delay every operation by this time
  --json            print one line of JSON when ready (npm run sandbox --silent -- --json)`;

/** What each key is for. */
const ABOUT: Record<keyof Sandbox['keys'], string> = {
  full: 'can do everything for all companies',
  other: 'can do the same, under another access',
  readonly: 'can only read, for all companies',
  singleCompany: 'can do everything for one company',
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

/** @throws Error when it is no port. */
function port(text: string): number | undefined {
  const number = wholeNumber('port', text);
  if (number !== undefined && number > 65_535) throw new Error('--port takes a number up to 65535.');
  return number;
}

/** @throws Error that says what the option takes instead of nothing. */
function notEmpty<Text extends string | undefined>(name: string, text: Text, what: string): Text {
  if (text === '') throw new Error(`--${name} takes ${what}.`);
  return text;
}

/** @throws Error when it is neither a number of requests nor "off". */
function rateLimit(text: string | undefined): number | 'off' | undefined {
  if (text === 'off' || text === undefined) return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error('--rate-limit takes 1 or more, or "off".');
  return Number(text);
}

function readOptions(): SandboxOptions & { host: string; json: boolean; help: boolean } {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: '127.0.0.1' },
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
    // Without an address, Node.js would listen on all of them.
    host: notEmpty('host', values.host, 'an address to listen on'),
    port: port(values.port),
    data: notEmpty('data', values.data, 'the path of a file'),
    documents: wholeNumber('documents', values.documents),
    rateLimit: rateLimit(values['rate-limit']),
    latencyMs: wholeNumber('latency', values.latency),
    json: values.json,
    help: values.help,
  };
}

/** Says who can reach a sandbox that listens on more than loopback. */
function warnOfOthers(host: string): void {
  if (host === 'localhost' || isLoopback(host)) return;
  console.error(
    `Warning: with --host ${host}, other machines on the network can call the API with the keys shown here. ` +
      'The admin page and the control routes respond only to this machine.',
  );
}

/** Each value to copy stands on a line of its own, so that a double or triple click selects it. */
function forPeople({ url, adminUrl, keys, token, tasks }: Sandbox): string {
  const names = Object.keys(keys) as (keyof Sandbox['keys'])[];
  return `The sandbox agency is running. Press Ctrl-C to stop it.

Agency address (for the credential in n8n)
  ${url}
API key: ${ABOUT.full}
  ${keys.full}
Admin page (approvals, documents, events, deliveries)
  ${adminUrl}

Other keys, to see how each one behaves
${names
  .filter((name) => name !== 'full')
  .map((name) => `  ${keys[name]}  ${name}: ${ABOUT[name]}`)
  .join('\n')}
Access token: can do the same as the API key
  ${token}
Open tasks
${tasks
  .slice(0, 3)
  .map((id) => `  ${id}`)
  .join('\n')}`;
}

async function main(): Promise<void> {
  const { json, help, ...options } = readOptions();
  if (help) return console.log(USAGE);
  const sandbox = await startSandbox(options).catch((reason: NodeJS.ErrnoException) => {
    if (reason.code !== 'EADDRINUSE') stop(`The sandbox did not start: ${reason.message}`);
    return stop(
      `Port ${options.port} is in use. Choose another one with --port, or any free one with --port 0.`,
    );
  });
  const { close, ...ready } = sandbox;
  // A second signal, as a terminal sends it to every program of the group, must not cut the first one short.
  let ending: Promise<never> | undefined;
  const end = () => (ending ??= close().then(() => process.exit(0)));
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  warnOfOthers(options.host);
  console.log(json ? JSON.stringify(ready) : forPeople(sandbox));
}

main().catch((reason: Error) => stop(`${reason.message}\n${USAGE}`));
