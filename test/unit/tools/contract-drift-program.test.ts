import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { publishedContract } from '../../../tools/contract/fetch';
import { start } from '../../../tools/n8n/process';

const ROOT = join(__dirname, '../../..');

let sandbox: Sandbox;
/** What the changed agency publishes. */
let published: { status: number; body: string };
const changedAgency = createServer((_request, response) => {
  response.writeHead(published.status, { location: 'https://elsewhere.example/' }).end(published.body);
});
let changedAddress: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  await new Promise<void>((resolve) => changedAgency.listen(0, '127.0.0.1', resolve));
  changedAddress = `http://127.0.0.1:${(changedAgency.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => changedAgency.close(resolve));
  await sandbox.close();
});

/** Runs the command to its end. */
async function contract(...args: string[]): Promise<{ ended: string | undefined; output: string }> {
  const running = start(process.execPath, ['--import', 'tsx', 'tools/contract/cli.ts', ...args], {
    cwd: ROOT,
  });
  await running.end;
  return { ended: running.ended(), output: running.output() };
}

test('the sandbox publishes what the nodes know', async () => {
  expect(await contract(sandbox.url)).toEqual({
    ended: 'it ended with exit code 0',
    output: 'No difference: everything that the nodes use is as they know it.',
  });
});

test('an agency that has dropped an operation ends with exit code 1', async () => {
  const served = (await (await fetch(`${sandbox.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, unknown>;
  };
  delete served.paths['/company-periods'];
  published = { status: 200, body: JSON.stringify(served) };
  expect(await contract(`${changedAddress}/api/v1/`)).toEqual({
    ended: 'it ended with exit code 1',
    output: [
      'removed   operation is no longer there',
      '          in GET /company-periods',
      '1 difference; 1 of them takes away something that the nodes use.',
    ].join('\n'),
  });
});

test('what cannot be compared ends with exit code 2 and the way out', async () => {
  expect(await contract('http://127.0.0.1:1')).toEqual({
    ended: 'it ended with exit code 2',
    output: 'http://127.0.0.1:1/api/v1/openapi.json could not be reached. Check the address and the network.',
  });
});

test.each([
  [{ status: 200, body: '<html></html>' }, 'did not answer with JSON'],
  [{ status: 200, body: '{"hello":"world"}' }, 'is not an OpenAPI description'],
  [{ status: 302, body: '' }, 'answered with status 302'],
  [{ status: 404, body: '' }, 'answered with status 404'],
])('%j is told', async (answer, words) => {
  published = answer;
  await expect(publishedContract(changedAddress)).rejects.toThrow(words);
});

test('what is no address of an agency is told', async () => {
  await expect(publishedContract('the agency')).rejects.toThrow('is not a web address');
});
