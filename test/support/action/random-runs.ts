import { createServer } from 'node:http';
import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { runAction } from './action';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { everyField } from './every-field';
import type { TestSandbox } from '../sandbox/sandbox';

const PLACES = everyField('={{ $json.value }}');

/** A place of each operation, so that every run tries them all. */
const placeOfEach = fc.tuple(
  ...RESOURCES.flatMap(({ value: resource, operations }) =>
    operations.map(({ value: operation }) =>
      fc.constantFrom(
        ...PLACES.filter(({ parameters: of }) => of.resource === resource && of.operation === operation),
      ),
    ),
  ),
);

/** What a person cannot make sense of: an error of the language, or a value's inside. */
const RAW =
  /TypeError|RangeError|ReferenceError|SyntaxError|cannot read prop|is not a function|is not iterable|is not defined|cannot convert|\[object \w+\]|\bundefined\b|\bNaN\b/i;

const file = fc.record(
  {
    data: fc.constantFrom('', 'JVBERg==', 'no base64'),
    mimeType: fc.constantFrom('application/pdf', '', 'pdf', 'a/b;c'),
    fileName: fc.oneof(fc.string(), fc.constant('a.pdf')),
  },
  { requiredKeys: ['data', 'mimeType'] },
);

/** Values that one field or another takes, so that requests are made and answered. */
const usable = fc.constantFrom<INodeExecutionData['json'][string]>(
  'some',
  true,
  false,
  1,
  '1',
  '2024-03',
  '2024-03-31',
  'data',
  null,
  '',
);

const items = fc.array(
  fc.record({
    json: fc.record({ value: fc.oneof(usable, fc.jsonValue({ maxDepth: 3 })) }),
    binary: fc.dictionary(fc.constantFrom('data', 'other', '__proto__', ''), file, { maxKeys: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** An answer to every request of a run: any JSON, with the envelope of a list or an error, or any text. */
const answer = fc.record({
  status: fc.constantFrom(200, 200, 201, 204, 302, 400, 403, 404, 409, 412, 422, 500),
  body: fc.oneof(
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ data: [value], nextCursor: null })),
    fc
      .jsonValue({ maxDepth: 2 })
      .map((value) => JSON.stringify({ error: { code: 'CONFLICT', message: value, details: value } })),
    fc
      .jsonValue({ maxDepth: 2 })
      .map((value) => JSON.stringify({ id: 'x', name: 'x', companyId: 'x', value })),
    fc.string(),
  ),
});

/**
 * Runs every operation with any values, items, files and answers, and holds that each item that failed says so in words.
 * A failure prints the seed by which it comes again.
 */
export async function tryRandomRuns(
  sandbox: () => TestSandbox,
  bounds: Pick<fc.Parameters, 'numRuns' | 'interruptAfterTimeLimit' | 'markInterruptAsFailure'>,
): Promise<void> {
  let now = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(now.status, { 'content-type': 'application/json' });
    response.end(now.status === 204 ? undefined : now.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('The server listens on no port.');
  const credential = { address: `http://127.0.0.1:${at.port}`, token: 'aa_key_of_a_test' };
  const run = async (
    place: (typeof PLACES)[number],
    input: INodeExecutionData[],
    given: typeof now,
  ): Promise<void> => {
    now = given;
    const { outputs, error } = await runAction(sandbox(), place.parameters, {
      credential,
      input,
      onError: 'continueErrorOutput',
    });
    const failed = (outputs[1] ?? []).map(({ json }) => String(json.error));
    for (const message of [...failed, ...(error === undefined ? [] : [error.message])]) {
      expect(`${place.title}: ${message}`).not.toMatch(RAW);
      expect(message).toMatch(/\w{2}/);
    }
  };
  const runAll = async (places: typeof PLACES, input: INodeExecutionData[], given: typeof now) => {
    for (const place of places) await run(place, input, given);
  };
  let running: Promise<void> | undefined;
  try {
    await fc.assert(
      fc.asyncProperty(placeOfEach, items, answer, async (places, input, given) => {
        await (running = runAll(places, input, given));
      }),
      bounds,
    );
  } finally {
    // At the time limit, one is still under way, and would go on without its server.
    await Promise.allSettled([running]);
    server.close();
    server.closeAllConnections();
  }
}
