import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { askedOf, forward } from './forward';

/** What a proxy makes of a successful answer. */
export interface Spoiling {
  /** The requests whose answers are spoiled, e.g. `POST /documents`, without `/api/v1` and query. */
  request: RegExp;
  /** How many answers; the later ones pass. */
  times: number;
  answer: (response: ServerResponse, body: Buffer, headers: OutgoingHttpHeaders) => void;
}

/** A request that reached the agency, and whether the agency took it for a repeat. */
export interface Passed {
  request: string;
  status: number;
  isReplay: boolean;
}

/** Ways in which a proxy or a broken server spoils an answer of which the agency has already done the work. */
export const SPOILINGS: Record<string, Spoiling['answer']> = {
  'an empty body': (response) => response.writeHead(200).end(),
  'no content': (response) => response.writeHead(204).end(),
  ...Object.fromEntries(
    ['{}', '{"status":"ok"}', '{"error":{"message":"no"}}', '[]', 'null', '"x"', '<html>Log in</html>'].map(
      (text) => [text, (response: ServerResponse) => response.writeHead(200).end(text)],
    ),
  ),
  'half of it': (response, body) => {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  },
  'half of it, then silence': (response, body) => {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2));
  },
};

/** A proxy before an agency that spoils some of its answers. */
export class SpoilingProxy {
  /** What has reached the agency. */
  readonly passed: Passed[] = [];

  private spoiling?: Spoiling;

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async start(agency: string, spoiling?: Spoiling): Promise<SpoilingProxy> {
    const server = createServer((incoming, response) => {
      void proxy
        .pass(agency, incoming, response)
        .catch((thrown: unknown) => response.destroy(new Error(String(thrown))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('The proxy listens on no port.');
    const proxy = new SpoilingProxy(server, `http://127.0.0.1:${at.port}`);
    proxy.spoil(spoiling);
    return proxy;
  }

  /** Spoils from now on; nothing, when nothing is given. */
  spoil(spoiling?: Spoiling): void {
    this.spoiling = spoiling && { ...spoiling };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async pass(agency: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await askedOf(incoming);
    const { status, headers, body } = await forward(agency, asked);
    const request = `${asked.method} ${asked.path}`;
    this.passed.push({ request, status, isReplay: headers['idempotent-replayed'] === 'true' });
    const { spoiling } = this;
    if (status < 300 && spoiling !== undefined && spoiling.times > 0 && spoiling.request.test(request)) {
      spoiling.times -= 1;
      spoiling.answer(response, body, headers);
      return;
    }
    response.writeHead(status, headers).end(body);
  }
}
