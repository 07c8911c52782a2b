import fc, { type Arbitrary } from 'fast-check';
import { resolve, type Schema } from './contract';

/** What never fits anywhere, or only just. */
const odd: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '%',
    '_',
    '\u0000',
    '\ud800',
    "' OR 1=1 --",
    '../../etc/passwd',
    '__proto__',
    'õ'.repeat(301),
    'x'.repeat(70_000),
    -1,
    0.5,
    1e308,
    2 ** 53,
    [],
    {},
    [[[[[[]]]]]],
  ),
);

/** Texts of a name that only an existing record gives sense to. */
export type Known = Record<string, Arbitrary<string>>;

const ADDRESSES = ['https://127.0.0.1:1/hook', 'https://localhost:1/', 'https://[::1]:1/a?b=c'];

function text({ minLength = 0, maxLength = 400, pattern, format }: Schema): Arbitrary<string> {
  // An address that is not of this machine would be called.
  if (pattern?.startsWith('^https://')) return fc.constantFrom(...ADDRESSES);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  if (format === 'date') return time.map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') return time.map((date) => date.toISOString());
  return fc.string({ minLength, maxLength: Math.min(maxLength, 400), unit: 'grapheme' });
}

function list(schema: Schema, known: Known): Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = minItems + 3 } = schema;
  return fc.array(valueOf(items, known), { minLength: minItems, maxLength: maxItems });
}

function object(schema: Schema, known: Known): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, known[name] ?? valueOf(field, known)]),
  );
  const record = fc.record(fields, { requiredKeys: required });
  if (additionalProperties !== true) return record;
  return fc
    .tuple(record, fc.dictionary(fc.string(), odd, { maxKeys: 3 }))
    .map(([kept, more]) => ({ ...more, ...kept }));
}

function ofType(type: string | undefined, schema: Schema, known: Known): Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer')
    return fc.integer({
      min: schema.minimum ?? schema.exclusiveMinimum ?? -5,
      max: schema.maximum ?? 10_000,
    });
  if (type === 'string') return text(schema);
  if (type === 'array') return list(schema, known);
  return type === 'object' ? object(schema, known) : odd;
}

function fitting(schema: Schema, known: Known): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((one) => valueOf(one, known)));
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, known)));
}

/** Mostly what a schema allows; at every depth now and then something else. */
export function valueOf(schema: Schema, known: Known): Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(resolve(schema), known), weight: 30 }, { arbitrary: odd, weight: 1 });
}
