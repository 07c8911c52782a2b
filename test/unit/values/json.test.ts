import { isRecord, jsonOf, parsedJson, textOrNothing } from '../../../nodes/shared/values/json';

/** So many lists or objects within each other. */
const nested = (levels: number, open: string, close: string) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

test('an answer is read from its text, and taken as it is when n8n has parsed it', () => {
  const answer = { a: [1, null, { b: 'c' }] };
  expect(jsonOf(JSON.stringify(answer))).toEqual(answer);
  expect(jsonOf(answer)).toBe(answer);
  expect(['"a"', '7', 'null', 'true', '{"a":', ''].map(jsonOf)).toEqual([
    'a',
    7,
    null,
    true,
    undefined,
    undefined,
  ]);
  expect(parsedJson('<html>')).toBeUndefined();
});

test.each([
  ['[', ']'],
  ['{"a":', '}'],
  ['[null,"b",', ']'],
])('an answer of 100 levels like %s is read, and one of more counts as none', (open, close) => {
  expect(jsonOf(nested(100, open, close))).toEqual(JSON.parse(nested(100, open, close)));
  expect(jsonOf(nested(101, open, close))).toBeUndefined();
  expect(jsonOf(nested(5000, open, close))).toBeUndefined();
});

test('only what is written {} is an object', () => {
  expect([{}, [], null, 'a', 7, undefined].map(isRecord)).toEqual([true, false, false, false, false, false]);
});

test.each([7, null, undefined, {}, ['a']])('%p counts as no text', (value) => {
  expect(textOrNothing('a')).toBe('a');
  expect(textOrNothing(value)).toBeUndefined();
});
