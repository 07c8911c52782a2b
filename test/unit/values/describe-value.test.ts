import fc from 'fast-check';
import { DateTime } from 'luxon';
import { given, howToGiveOne, shortened } from '../../../nodes/shared/values/describe-value';
import { choice, requiredId, requiredText } from '../../../nodes/shared/values/text';

test.each([
  ['monthly', '"monthly"'],
  [7, '7'],
  [false, 'false'],
  [10n, '10'],
  [null, 'empty'],
  [undefined, 'empty'],
  [['monthly'], 'a list (monthly)'],
  [[1, 'b', true], 'a list (1, b, true)'],
  [[], 'an empty list'],
  [[{}], 'a list of 1 entry'],
  [[null, []], 'a list of 2 entries'],
  [{}, 'an empty object'],
  [{ mimeType: 'text/plain', data: 'c2VjcmV0' }, 'an object (mimeType, data)'],
  [new Date(0), 'a date'],
  [() => 1, 'a function'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
])('%p is told as %s', (value, told) => expect(given(value)).toBe(told));

test('a list or an object is told with the way to give one value of it', () => {
  expect(howToGiveOne(['a'])).toContain('[0]');
  expect(howToGiveOne({ id: 'a' })).toContain('.id');
  for (const single of ['a', 1, true, null, undefined, new Date(0)]) expect(howToGiveOne(single)).toBe('');
  const refused = () => choice('VAT Period', ['monthly'], ['monthly', 'quarterly']);
  expect(refused).toThrow('VAT Period cannot be a list (monthly).');
  expect(refused).toThrow(
    expect.objectContaining({
      description:
        'Use one of: monthly, quarterly. For one entry of a list, add its position to the expression, e.g. [0].',
    }),
  );
});

test('what is told is short, and never cut in the middle of a character, whatever was given', () => {
  const values = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withObjectString: true }),
    fc.string({ unit: 'grapheme', minLength: 30, maxLength: 60 }),
    fc.constant(DateTime.now()),
  );
  fc.assert(
    fc.property(values, (value) => {
      expect([...given(value)].length).toBeLessThanOrEqual(60);
      expect(typeof howToGiveOne(value)).toBe('string');
    }),
  );
  expect(shortened('🧾'.repeat(50))).toBe(`${'🧾'.repeat(40)}…`);
});

test.each(['\ud83e', 'abc\ud83e', '\uddfe x', 'a\ud83eb'])('%j is half a character, and refused', (text) => {
  for (const read of [() => requiredId('Document ID', text), () => requiredText('Address', text, 300)]) {
    expect(read).toThrow(/^(Document ID|Address) contains half of a character/);
  }
});
