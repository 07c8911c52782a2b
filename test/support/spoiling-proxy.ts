import type { IncomingMessage, ServerResponse } from 'node:http';
import { askedOf, forward } from './forward';
import { useServer } from './server';

/** What a proxy makes of a successful answer. */
export interface Spoiling {
  /** The requests whose answers are spoiled, e.g. `POST /documents`, without `/api/v1` and query. */
  request: RegExp;
  /** How many answers; the later ones pass. */
  times: number;
  answer: (response: ServerResponse, body: Buffer) => void;
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

/** A proxy before an agency, for all tests of a file, that spoils answers as it is told. */
export function useSpoilingProxy(agency: () => string) {
  let spoiling: Spoiling | undefined;
  let passed: Passed[] = [];

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await askedOf(incoming);
    const { status, headers, body } = await forward(agency(), asked);
    const request = `${asked.method} ${asked.path}`;
    passed.push({
      request,
      status,
      isReplay: headers['idempotent-replayed'] === 'true',
    });
    if (status < 300 && spoiling !== undefined && spoiling.times > 0 && spoiling.request.test(request)) {
      spoiling.times -= 1;
      spoiling.answer(response, body);
      return;
    }
    response.writeHead(status, headers).end(body);
  }

  const address = useServer((incoming, response) => {
    void pass(incoming, response).catch((thrown: unknown) => response.destroy(new Error(String(thrown))));
  });
  return {
    address,
    /** Spoils from now on, and forgets what has passed. */
    spoil(next: Spoiling | undefined): void {
      spoiling = next && { ...next };
      passed = [];
    },
    passed: (): Passed[] => passed,
  };
}
