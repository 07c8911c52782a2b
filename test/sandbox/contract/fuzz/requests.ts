import fc, { type Arbitrary } from 'fast-check';
import type { WireRequest } from '../../../support/sandbox/send';
import { type FuzzOperation, operations } from './contract';
import { type Known, valueOf } from './values';

/** Ids of existing records by the first part of their path, and by the name of the field that holds them. */
export interface KnownIds {
  byPath: Record<string, string[]>;
  byField: Known;
}

const anyText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

// Lone surrogates have no percent-encoding; the way through a buffer replaces them.
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 220 }).map((text) => text.trim());

function pathOf(operation: FuzzOperation, ids: KnownIds): Arbitrary<string> {
  const [, root = ''] = operation.path.split('/');
  const known = ids.byPath[root] ?? [];
  const id = fc.oneof(
    { arbitrary: fc.constantFrom(...(known.length > 0 ? known : ['none'])), weight: 25 },
    { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 220 }).map(encode), weight: 1 },
    {
      arbitrary: fc.constantFrom('%00', '%zz', '%2F', '..', '%2e%2e', '%ff', '0', 'a'.repeat(201)),
      weight: 1,
    },
  );
  return id.map((text) => `/api/v1${operation.path.replace('{id}', text)}`);
}

/** How often in 30 a parameter is sent. Cursors that were not given out are refused before anything else. */
function chanceOf(name: string, required: boolean | undefined): number {
  if (name === 'cursor' || name === 'after') return 1;
  return required ? 29 : 8;
}

function queryOf(operation: FuzzOperation, known: Known): Arbitrary<string> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const pairs = parameters.map(({ name, required, schema }) =>
    fc
      .tuple(fc.integer({ min: 0, max: 29 }), known[name] ?? valueOf(schema, known))
      .map(([dice, value]) => (dice < chanceOf(name, required) ? [`${name}=${encode(anyText(value))}`] : [])),
  );
  const extra = fc.oneof(
    { arbitrary: fc.constant(''), weight: 20 },
    fc.constantFrom('x=1', 'limit=1&limit=2', '%', '=', '__proto__=1', 'limit[]=3', '%ff=1'),
  );
  return fc
    .tuple(fc.tuple(...pairs), extra)
    .map(([made, more]) => [...made.flat(), more].filter((part) => part !== '').join('&'));
}

function bodyOf(
  operation: FuzzOperation,
  known: Known,
): Arbitrary<{ type: string | null; bytes: Buffer | null }> {
  const type = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'image/png',
    'x/y;z',
    null,
  );
  const raw = fc
    .tuple(
      type,
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('{', '[1,', '{"a":', 'null', '\ufeff{}', '[]'),
      ),
    )
    .map(([contentType, content]) => ({ type: contentType, bytes: Buffer.from(content) }));
  if (operation.json === undefined) {
    return operation.bytes
      ? raw
      : fc.oneof({ arbitrary: fc.constant({ type: null, bytes: null }), weight: 9 }, raw);
  }
  const json = valueOf(operation.json, known).map((value) => ({
    type: 'application/json',
    bytes: Buffer.from(JSON.stringify(value)),
  }));
  return fc.oneof({ arbitrary: json, weight: 12 }, { arbitrary: raw, weight: 1 });
}

function headersOf(operation: FuzzOperation): Arbitrary<Record<string, string>> {
  const values = fc.oneof(fc.constantFrom('1', '"1"', 'W/"1"', '*', 'same-key', ''), headerText);
  const names = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const pairs = names.map((name) =>
    fc.option(values).map((value) => (value === null ? [] : [[name, value]])),
  );
  return fc.tuple(...pairs).map((made) => Object.fromEntries(made.flat()));
}

/** Requests of every operation, and now and then of none. `tokens` are what may stand in `Authorization`. */
export function requests(ids: KnownIds, tokens: readonly string[]): Arbitrary<WireRequest> {
  const authorization = fc.oneof(
    { arbitrary: fc.constantFrom(...tokens).map((token) => `Bearer ${token}`), weight: 20 },
    { arbitrary: fc.oneof(headerText, fc.constantFrom('Bearer', 'Bearer a.b.c', 'Basic eDp5')), weight: 1 },
  );
  const ofContract = fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        method: fc.oneof(
          { arbitrary: fc.constant(operation.method), weight: 30 },
          {
            arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
            weight: 1,
          },
        ),
        path: pathOf(operation, ids),
        query: queryOf(operation, ids.byField),
        body: bodyOf(operation, ids.byField),
        headers: headersOf(operation),
        authorization,
      })
      .map(({ method, path, query, body, headers, authorization: token }) => ({
        method,
        target: query === '' ? path : `${path}?${query}`,
        headers: {
          ...headers,
          authorization: token,
          ...(body.type !== null && { 'content-type': body.type }),
        },
        body: body.bytes,
      })),
  );
  const ofNothing = fc
    .tuple(fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'), fc.webPath(), authorization)
    .map(([method, path, token]) => ({
      method,
      target: path.startsWith('/') ? path : `/${path}`,
      headers: { authorization: token },
      body: null,
    }));
  return fc.oneof({ arbitrary: ofContract, weight: 30 }, { arbitrary: ofNothing, weight: 1 });
}
