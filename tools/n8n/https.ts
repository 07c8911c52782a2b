import { once } from 'node:events';
import { type IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { createProxyServer } from 'http-proxy-3';
import { generate } from 'selfsigned';
import { LOOPBACK } from './processes/process';

const ONE_MONTH_MS = 30 * 24 * 3600 * 1000;

/** A throw-away certificate for the loopback addresses, all in PEM. `authority` is what a client has to trust. */
export interface Certificate {
  key: string;
  cert: string;
  authority: string;
}

/** Makes a certificate authority and a certificate for 127.0.0.1, ::1 and localhost under it. Nothing is written to disk. */
export async function makeCertificate(): Promise<Certificate> {
  const validity = {
    notAfterDate: new Date(Date.now() + ONE_MONTH_MS),
    algorithm: 'sha256',
    keyType: 'ec',
  } as const;
  const authority = await generate([{ name: 'commonName', value: 'Throw-away authority of a demo' }], {
    ...validity,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...validity,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: LOOPBACK },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { key: server.private, cert: server.cert, authority: authority.cert };
}

/** An https address in front of plain http servers. */
export interface HttpsFront {
  readonly url: string;
  close(): Promise<void>;
}

/** Which plain http address answers a request path. */
export type Route = (path: string) => string;

/** A request that went through, and n8n's answer to it. */
export interface Passage {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  status: number;
}

/**
 * Listens on a loopback port with TLS and passes requests and websockets on, with the forwarding
 * headers that n8n reads behind one proxy. A server that does not answer gives 502. `onPassage` is
 * told of every request that was answered.
 */
export async function startHttpsFront(
  certificate: Certificate,
  port: number,
  route: Route,
  onPassage?: (passage: Passage) => void,
): Promise<HttpsFront> {
  const proxy = createProxyServer({ xfwd: true, xfwdWsProtoAsHttp: true });
  const headers = { 'x-forwarded-host': `${LOOPBACK}:${port}` };
  proxy.on('proxyRes', ({ statusCode = 0 }, { method = 'GET', url: path = '/', headers: sent }) =>
    onPassage?.({ method, path, headers: sent, status: statusCode }),
  );
  // n8n is stopped, or a browser has left in the middle of something.
  proxy.on('error', (error, _request, answer) => {
    if (!(answer instanceof ServerResponse)) answer.destroy();
    else if (answer.headersSent) answer.end();
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end(`n8n does not answer: ${error.message}`);
  });
  // Nobody reads the connection to n8n any more when the browser has left, so it would not see its own end.
  proxy.on('proxyReqWs', (request, _from, browser) =>
    request.once('upgrade', (_answer, upstream) => {
      if (browser.destroyed) upstream.destroy();
      else browser.once('close', () => upstream.destroy());
    }),
  );
  const server = createServer({ key: certificate.key, cert: certificate.cert });
  // Websockets are connections that the server itself forgets about.
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) =>
    proxy.web(request, response, { target: route(request.url ?? '/'), headers }),
  );
  server.on('upgrade', (request, socket, head) =>
    proxy.ws(request, socket, head, { target: route(request.url ?? '/'), headers }),
  );
  await once(server.listen(port, LOOPBACK), 'listening');
  return {
    url: `https://${LOOPBACK}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.forEach((socket) => socket.destroy());
      }),
  };
}
