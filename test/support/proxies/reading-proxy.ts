import { type Asked, type Answered, askedOf, forward } from './forward';
import { useServer } from './server';

/** A way in which an agency may answer that the specification leaves open: pure changes of requests and answers. */
export interface Reading {
  /** Changes a request before the agency gets it, or answers it in the agency's stead. */
  asked?: (asked: Asked) => Asked | Answered;
  /** Changes what the agency answered. */
  answered?: (answer: Answered, asked: Asked) => Answered;
  /** How an ID of the sandbox is written. */
  writeId?: (id: string) => string;
}

/** A proxy before an agency, for all tests of a file, that answers in another of the ways that the specification allows. */
export function useReadingProxy(agency: () => string) {
  let reading: Reading = {};
  let trail: string[] = [];

  const address = useServer((incoming, response) => {
    const pass = async () => {
      const { asked = (same: Asked) => same, answered = (same: Answered) => same } = reading;
      const came = await askedOf(incoming);
      trail.push(`${came.method} ${came.path}`);
      const changed = asked(came);
      const answer = 'status' in changed ? changed : answered(await forward(agency(), changed), came);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    void pass().catch((thrown: unknown) => response.destroy(new Error(String(thrown))));
  });
  return {
    address,
    /** Answers in this way from now on, and forgets what was asked. */
    read(next: Reading): void {
      reading = next;
      trail = [];
    },
    /** What was asked since then, e.g. `GET /companies`. */
    trail: (): string[] => trail,
  };
}

/** An agency that takes all these choices at once. */
export const together = (...readings: Reading[]): Reading => ({
  asked: (asked) =>
    readings.reduce<Asked | Answered>(
      (so, { asked: change = (same) => same }) => ('status' in so ? so : change(so)),
      asked,
    ),
  answered: (answer, asked) =>
    readings.reduceRight((so, { answered: change = (same) => same }) => change(so, asked), answer),
});

/** An answer of JSON with another body. */
export const withJson = (answer: Answered, body: unknown): Answered => ({
  ...answer,
  body: Buffer.from(JSON.stringify(body)),
});

/** The body of an answer; `undefined` for bytes and for nothing. */
export function jsonOfAnswer({ headers, body }: Answered): unknown {
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return isJson && body.length > 0 ? JSON.parse(body.toString()) : undefined;
}

/** An error of the API that says no more than it must. */
export function refusal(status: number, code: string, details?: object): Answered {
  const answer = { status, headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' } };
  return withJson({ ...answer, body: Buffer.alloc(0) }, { error: { code, message: 'No.', details } });
}
