import { createServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate, type Certificate } from '../../../tools/n8n/https';

/** One call that arrived. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw body. */
  body: string;
}

/** Answers a call; without an answer the caller waits. */
export type Responder = (call: Received, response: ServerResponse) => void;

/** An https address that webhook calls are sent to. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Sets how calls are answered from now on; at the start with 200. */
  answer(responder: Responder): void;
  close(): Promise<void>;
}

/** One for all receivers of a Jest file: authorities of the same name must not be trusted side by side. */
let made: Promise<Certificate> | undefined;

/** Starts an address on the loopback interface, whose certificate this process then trusts. */
export async function startReceiver(): Promise<Receiver> {
  const { key, cert, authority } = await (made ??= makeCertificate());
  setDefaultCACertificates([...getCACertificates('bundled'), authority]);
  const received: Received[] = [];
  let respond: Responder = (_call, response) => response.writeHead(200).end();
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: await text(request) };
    received.push(call);
    respond(call, response);
  };
  const server = createServer({ key, cert }, (request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/hook`,
    received,
    answer(responder) {
      respond = responder;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
