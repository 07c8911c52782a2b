import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import {
  type Certificate,
  type HttpsFront,
  makeCertificate,
  type Passage,
  startHttpsFront,
} from '../../../tools/n8n/https';
import { freePort, waitFor } from '../../../tools/n8n/processes/process';

let certificate: Certificate;
let backend: Server;
let front: HttpsFront;
const passages: Passage[] = [];

/** GET through the front by a client that trusts nothing but the throw-away authority. */
const get = (url: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request(url, { ca: certificate.authority, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject).end();
  });

/** Opens a websocket by hand and gives the connection once the other side has agreed. */
const upgrade = (port: number) =>
  new Promise<ReturnType<typeof connect>>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca: certificate.authority });
    socket.once('error', reject);
    socket.once('data', () => resolve(socket));
    socket.write('GET /push HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });

beforeAll(async () => {
  certificate = await makeCertificate();
  backend = createServer((call, answer) => answer.end(JSON.stringify(call.headers)));
  backend.on('upgrade', (_call, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    // Goes on talking, as n8n's push connection does.
    const talk = setInterval(() => socket.write('tick'), 1);
    socket.on('end', () => socket.destroy()).on('close', () => clearInterval(talk));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  const { port } = backend.address() as AddressInfo;
  const frontPort = await freePort();
  const route = (path: string) => `http://127.0.0.1:${path.startsWith('/gone') ? 1 : port}`;
  front = await startHttpsFront(certificate, frontPort, route, (passage) => passages.push(passage));
});

afterAll(async () => {
  await front.close();
  backend.closeAllConnections();
  await new Promise((resolve) => backend.close(resolve));
});

test('answers 127.0.0.1 and localhost with a certificate of its authority', async () => {
  for (const url of [front.url, front.url.replace('127.0.0.1', 'localhost')]) {
    await expect(get(url)).resolves.toMatchObject({ status: 200 });
  }
});

test('hands on what n8n needs to know its public address, and tells of the passage', async () => {
  const { text } = await get(`${front.url}/webhook/1`);
  expect(JSON.parse(text)).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-host': front.url.replace('https://', ''),
  });
  expect(passages.at(-1)).toMatchObject({ method: 'GET', path: '/webhook/1', status: 200 });
});

test('answers 502 while n8n is down', async () => {
  await expect(get(`${front.url}/gone`)).resolves.toMatchObject({ status: 502 });
});

test('survives a browser that leaves in the middle of a websocket, and keeps no connection of it', async () => {
  const port = Number(new URL(front.url).port);
  const connections = () =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const before = connections();
  for (let visit = 0; visit < 20; visit++) (await upgrade(port)).destroy();
  await waitFor('the front to answer still', async () => (await get(front.url)).status === 200 || undefined, {
    seconds: 5,
  });
  await waitFor('its connections to be closed', async () => connections() <= before || undefined, {
    seconds: 5,
    evidence: () => `${before} connections before, ${connections()} after`,
  });
});
