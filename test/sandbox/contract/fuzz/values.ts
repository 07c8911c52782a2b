import fc, { type Arbitrary } from 'fast-check';
import { resolve, type Schema } from '../../../../tools/contract';

/** What never fits anywhere, or only just. */
const odd: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[null, '', ' ', '%', '_', '\u0000', '\ud800', "' OR 1=1 --", '../../etc/passwd', '__proto__'],
    ...['õ'.repeat(301), 'x'.repeat(70_000), -1, 0.5, 1e308, 2 ** 53, [], {}, [[[[[[]]]]]]],
  ),
);

/** Texts of a name that only an existing record gives sense to. */
export type Known = Record<string, Arbitrary<string>>;

/** Mostly one thing, and once in so many times and one another. */
export const mostly = <T, O>(usual: Arbitrary<T>, times: number, other: Arbitrary<O>): Arbitrary<T | O> =>
  fc.oneof<[{ arbitrary: Arbitrary<T>; weight: number }, { arbitrary: Arbitrary<O>; weight: number }]>(
    { arbitrary: usual, weight: times },
    { arbitrary: other, weight: 1 },
  );

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

function object({ properties = {}, required = [], additionalProperties }: Schema, known: Known) {
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, known[name] ?? valueOf(field, known)] as const,
  );
  const record = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  const more = fc.dictionary(fc.string(), odd, { maxKeys: additionalProperties === true ? 3 : 0 });
  return fc.tuple(record, more).map(([kept, others]) => ({ ...others, ...kept }));
}

function ofType(type: string | undefined, schema: Schema, known: Known): Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = minItems + 3 } = schema;
  const { minimum, exclusiveMinimum, maximum: max = 10_000 } = schema;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum ?? exclusiveMinimum ?? -5, max });
  if (type === 'string') return text(schema);
  if (type === 'array') return fc.array(valueOf(items, known), { minLength: minItems, maxLength: maxItems });
  return type === 'object' ? object(schema, known) : odd;
}

function fitting(schema: Schema, known: Known): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return fc.oneof(...alternatives.map((one) => valueOf(one, known)));
  return fc.oneof(...[schema.type].flat().map((type) => ofType(type, schema, known)));
}

/** Mostly what a schema allows; at every depth now and then something else. */
export const valueOf = (schema: Schema, known: Known): Arbitrary<unknown> =>
  mostly(fitting(resolve(schema), known), 30, odd);
