import { isOn, trueOrFalse } from '../../../nodes/shared/values/booleans';
import { type ChangeRule, changesOf, requireChange } from '../../../nodes/shared/values/changes';
import { howToGiveOne } from '../../../nodes/shared/values/describe-value';

const rules: ChangeRule[] = [
  { name: 'text', label: 'Text', clearable: true, read: (_, value) => String(value) },
  { name: 'amount', label: 'Amount', clearable: false, read: (_, value) => Number(value) },
  { name: 'on', label: 'On', clearable: false, read: trueOrFalse },
  { name: 'day', label: 'Day', clearable: true, read: (label, value, zone) => `${label} ${value} ${zone}` },
];

const byHand = { timeZone: 'Europe/Tallinn', filledByModel: () => false };
const byModel = { timeZone: 'Europe/Tallinn', filledByModel: () => true };

test('what was not added is not changed', () => {
  expect(changesOf(rules, {}, byHand)).toEqual({});
  expect(changesOf(rules, { text: 'a', unknown: 'b' }, byHand)).toEqual({ text: 'a' });
});

test('hands label and time zone to the reader', () => {
  expect(changesOf(rules, { day: 'x' }, byHand)).toEqual({ day: 'Day x Europe/Tallinn' });
});

test.each(['', '  ', null, undefined])('an added field with %p is cleared', (empty) => {
  expect(changesOf(rules, { text: empty }, byHand)).toEqual({ text: null });
});

test('0 and false are values', () => {
  expect(changesOf(rules, { amount: 0, on: false, text: 0 }, byHand)).toEqual({
    amount: 0,
    on: false,
    text: '0',
  });
  expect(changesOf(rules, { amount: 0, on: false }, byModel)).toEqual({ amount: 0, on: false });
});

test('a field that the API does not clear must not be empty', () => {
  expect(() => changesOf(rules, { amount: '' }, byHand)).toThrow(
    expect.objectContaining({
      message: 'Amount is empty.',
      description: 'Enter a value, or remove the field to keep its value.',
    }),
  );
});

test('what a model left empty is no change', () => {
  expect(changesOf(rules, { text: '', amount: null, on: undefined, day: 'x' }, byModel)).toEqual({
    day: 'Day x Europe/Tallinn',
  });
});

test('a change of nothing is refused', () => {
  expect(() => requireChange('Update Fields', {})).toThrow(
    expect.objectContaining({
      message: 'Update Fields is empty.',
      description: 'Add at least one field to change.',
    }),
  );
  expect(() => requireChange('Update Fields', { text: null })).not.toThrow();
});

test('reads yes and no, also as text, and refuses everything else', () => {
  expect([true, 'true', ' TRUE ', false, 'false'].map((value) => trueOrFalse('On', value))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  const way = 'Turn it on or off, or use an expression that returns true or false.';
  for (const [value, message, description] of [
    [1, 'On must be true or false, not 1.', way],
    [[], 'On must be true or false, not an empty list.', `${way} ${howToGiveOne([])}`],
  ] as const) {
    expect(() => trueOrFalse('On', value)).toThrow(expect.objectContaining({ message, description }));
  }
});

test('a switch that was left empty or not added is off', () => {
  expect([undefined, null, '', ' ', false, 'false', true, 'true'].map((value) => isOn('On', value))).toEqual([
    ...Array<boolean>(6).fill(false),
    true,
    true,
  ]);
});
