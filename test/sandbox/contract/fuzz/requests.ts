import fc, { type Arbitrary } from 'fast-check';
import type { WireRequest } from '../../../support/sandbox/send';
import { OPERATIONS } from '../../../../tools/contract';
import { type Known, mostly, valueOf } from './values';

type Operation = (typeof OPERATIONS)[number];

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

function pathOf({ path }: Operation, ids: KnownIds): Arbitrary<string> {
  const [, root = ''] = path.split('/');
  const id = mostly(
    fc.constantFrom(...(ids.byPath[root] ?? ['none'])),
    12,
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 220 }).map(encode),
      fc.constantFrom('%00', '%zz', '%2F', '..', '%2e%2e', '%ff', '0', 'a'.repeat(201)),
    ),
  );
  return id.map((text) => `/api/v1${path.replace('{id}', text)}`);
}

function queryOf({ parameters }: Operation, known: Known): Arbitrary<string> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema }) => {
      const values = known[name] ?? valueOf(schema, known);
      const sent = values.map((value) => `${name}=${encode(anyText(value))}`);
      if (required) return mostly(sent, 29, fc.constant(''));
      // Cursors that were not given out are refused before anything else.
      return mostly(fc.constant(''), name === 'cursor' || name === 'after' ? 29 : 3, sent);
    });
  const odd = fc.constantFrom('x=1', 'limit=1&limit=2', '%', '=', '__proto__=1', 'limit[]=3', '%ff=1');
  const parts = fc.tuple(fc.tuple(...pairs), mostly(fc.constant(''), 20, odd));
  return parts.map(([made, more]) => [...made, more].filter((part) => part !== '').join('&'));
}

interface Body {
  type: string | null;
  bytes: Buffer | null;
}

const TYPES = ['application/json', 'application/json; charset=utf-8', 'text/plain', 'image/png', 'x/y;z'];
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.constantFrom('{', '[1,', '{"a":', 'null', '\ufeff{}', '[]'),
);
const raw: Arbitrary<Body> = fc.record({
  type: fc.constantFrom(...TYPES, null),
  bytes: content.map((given) => Buffer.from(given)),
});

function bodyOf({ json, bytes }: Operation, known: Known): Arbitrary<Body> {
  if (bytes) return raw;
  if (json === undefined) return mostly(fc.constant({ type: null, bytes: null }), 9, raw);
  const made = valueOf(json, known).map((value) => Buffer.from(JSON.stringify(value)));
  return mostly(fc.record({ type: fc.constant('application/json'), bytes: made }), 12, raw);
}

function headersOf({ parameters }: Operation): Arbitrary<Record<string, string>> {
  const values = fc.oneof(fc.constantFrom('1', '"1"', 'W/"1"', '*', 'same-key', ''), headerText);
  const names = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  return fc
    .subarray(names)
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, values]))));
}

/** Requests of every operation, and now and then of none. `tokens` are what may stand in `Authorization`. */
export function requests(ids: KnownIds, tokens: readonly string[]): Arbitrary<WireRequest> {
  const authorization = mostly(
    fc.constantFrom(...tokens).map((token) => `Bearer ${token}`),
    20,
    fc.oneof(headerText, fc.constantFrom('Bearer', 'Bearer a.b.c', 'Basic eDp5')),
  );
  const otherMethod = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
  const ofContract = fc.constantFrom(...OPERATIONS).chain((operation) =>
    fc
      .record({
        method: mostly(fc.constant(operation.method), 30, otherMethod),
        path: pathOf(operation, ids),
        query: queryOf(operation, ids.byField),
        body: bodyOf(operation, ids.byField),
        headers: headersOf(operation),
        authorization,
      })
      .map(({ method, path, query, body: { type, bytes }, headers, authorization: token }) => ({
        method,
        target: query === '' ? path : `${path}?${query}`,
        headers: { ...headers, authorization: token, ...(type !== null && { 'content-type': type }) },
        body: bytes,
      })),
  );
  const ofNothing = fc.tuple(otherMethod, fc.webPath(), authorization).map(([method, path, token]) => ({
    method,
    target: path.startsWith('/') ? path : `/${path}`,
    headers: { authorization: token },
    body: null,
  }));
  return mostly(ofContract, 30, ofNothing);
}
