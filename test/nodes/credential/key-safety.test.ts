import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { loadEngine, runNode } from '../../support/engine';
import { useSandbox } from '../../support/sandbox/sandbox';
import { useServer } from '../../support/proxies/server';
import { trail } from '../../support/action/uploads';

const TYPE = 'accountingAgencyApi';

const sandbox = useSandbox({ documents: 0 });
let seen: string[] = [];
const elsewhere = useServer((request, response) => {
  seen.push(`${request.url} ${request.headers.authorization}`);
  response.end('{}');
});
let moved = '';
const redirecting = useServer((_, response) => {
  response.writeHead(302, { location: moved }).end();
});

beforeAll(async () => await loadEngine());
beforeEach(() => (seen = []));

type Send = (node: IExecuteFunctions, address: string) => Promise<unknown>;

/** n8n's two helpers with a proxy that a user of the credential has set. */
const PROXIED: Array<[string, Send]> = [
  [
    'the HTTP Request node',
    async (node, uri) =>
      await node.helpers.requestWithAuthentication.call(node, TYPE, {
        uri,
        method: 'GET',
        proxy: elsewhere(),
      }),
  ],
  [
    'other nodes',
    async (node, url) => {
      const { hostname: host, port } = new URL(elsewhere());
      const proxy = { protocol: 'http', host, port: Number(port) };
      return await node.helpers.httpRequestWithAuthentication.call(node, TYPE, { url, method: 'GET', proxy });
    },
  ],
];

test.each(PROXIED)('The key does not go through a proxy that is given to %s', async (_, send) => {
  const { error } = await call(send, `${sandbox().url}/api/v1/companies?limit=1`);
  expect(`${error?.message} ${error?.description}`).toContain('would let someone else read the key');
  expect(seen).toEqual([]);
});

/** The two helpers by which n8n's own nodes send a request with a predefined credential. */
const HELPERS: Array<[string, Send]> = [
  [
    'the HTTP Request node',
    async (node, uri) =>
      await node.helpers.requestWithAuthentication.call(node, TYPE, { uri, method: 'GET', json: true }),
  ],
  [
    'other nodes',
    async (node, url) =>
      await node.helpers.httpRequestWithAuthentication.call(node, TYPE, { url, method: 'GET', json: true }),
  ],
];

/** A node of somebody else that uses the credential. */
const foreignNode = (send: Send, address: string): INodeType => ({
  description: {
    displayName: 'Other',
    name: 'other',
    group: ['transform'],
    version: 1,
    description: 'Sends a request',
    defaults: { name: 'Other' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: TYPE, required: true }],
    properties: [],
  },
  async execute() {
    const body = (await send(this, address)) as IDataObject;
    return [[{ json: { body } }]];
  },
});

const call = async (send: Send, address: string, agency = sandbox().url) =>
  await runNode({
    type: foreignNode(send, address),
    parameters: {},
    credential: { address: agency, token: sandbox().keys.full },
  });

describe.each(HELPERS)('The key in the hands of %s', (_, send) => {
  test('works at the agency', async () => {
    const { outputs, error } = await call(send, `${sandbox().url}/api/v1/companies?limit=1`);
    expect(error).toBeUndefined();
    expect(outputs[0]?.[0]?.json.body).toMatchObject({ data: [{ id: expect.any(String) }] });
  });

  test('goes to no other address', async () => {
    const { error } = await call(send, `${elsewhere()}/steal`);
    expect(`${error?.message} ${error?.description}`).toContain(`must begin with ${sandbox().url}/`);
    expect(seen).toEqual([]);
    expect(await trail(sandbox())).toEqual([]);
  });

  test('follows no redirect', async () => {
    moved = `${elsewhere()}/steal`;
    const { error } = await call(send, `${redirecting()}/api/v1/companies`, redirecting());
    expect(error).toBeDefined();
    expect(seen).toEqual([]);
  });
});
