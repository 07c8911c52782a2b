import { given } from '../../../nodes/shared/values/describe-value';
import {
  choice,
  isEmpty,
  optionalId,
  optionalText,
  requiredId,
  requiredText,
  parseStringList,
  wholeNumber,
  withinLength,
} from '../../../nodes/shared/values/text';

test.each([
  [undefined, true],
  [null, true],
  ['', true],
  [' \n', true],
  [0, false],
  [false, false],
  [[], false],
])('%p was left empty: %p', (value, empty) => expect(isEmpty(value)).toBe(empty));

describe('A text', () => {
  test.each([
    [' a b ', 'a b'],
    [42, '42'],
    [0, '0'],
    [1.5, '1.5'],
    ['An Invalid Date', 'An Invalid Date'],
    [2 ** 53 - 1, '9007199254740991'],
  ])('%p is %p', (value, text) => expect(requiredText('Name', value, 16)).toBe(text));

  test.each([
    ['', 'Name is empty.'],
    [undefined, 'Name is empty.'],
    [{}, 'Name must be a text, not an empty object.'],
    [['a'], 'Name must be a text, not a list (a).'],
    [true, 'Name must be a text, not true.'],
    [Number.NaN, 'Name must be a text, not NaN.'],
    [Number.NEGATIVE_INFINITY, 'Name must be a text, not -Infinity.'],
    [2 ** 53, 'Name must be a text, not 9007199254740992.'],
    ['[object Object]', 'Name has "[object Object]" in it, which stands for a value that is no text.'],
    ['Invalid Date', 'Name has "Invalid Date" in it, which stands for a value that is no text.'],
    ['12345678901', 'Name has 11 characters, but only 10 are allowed.'],
  ])('%p is refused: %s', (value, message) => expect(() => requiredText('Name', value, 10)).toThrow(message));

  test('has as many characters as a person sees code points', () => {
    expect(withinLength('Name', '🧾'.repeat(10), 10)).toHaveLength(20);
    expect(() => withinLength('Name', '🧾'.repeat(11), 10)).toThrow(
      'Name has 11 characters, but only 10 are allowed.',
    );
  });

  test('may be left empty where it is optional', () => {
    expect(optionalText('Name', ' ', 10)).toBeUndefined();
    expect(optionalText('Name', 'a ', 10)).toBe('a');
  });
});

describe('An ID', () => {
  test('has none of the invisible marks around it that come with a copied text', () => {
    expect(requiredId('Company', '\u202a\ufeffcmp\u200d_1\u200e \0')).toBe('cmp\u200d_1');
    expect(() => requiredId('Company', '\u200b')).toThrow('Company is empty.');
  });

  test('has 1 to 200 characters, and no spaces around it', () => {
    expect(requiredId('Company', `\t${'x'.repeat(200)} `)).toHaveLength(200);
    expect(() => requiredId('Company', 'x'.repeat(201))).toThrow(
      'Company has 201 characters, but only 200 are allowed.',
    );
    expect(() => requiredId('Company', '')).toThrow('Company is empty.');
    expect(optionalId('Company', '')).toBeUndefined();
  });
});

describe('A choice', () => {
  const STAGES = ['inbox', 'storage'] as const;

  test('is one of the values of the API', () => {
    expect(choice('Stage', ' inbox ', STAGES)).toBe('inbox');
  });

  test.each(['Inbox', 'lost', 7, true])('%p is none', (value) => {
    expect(() => choice('Stage', value, STAGES)).toThrow(`Stage cannot be ${given(value)}.`);
    expect(() => choice('Stage', value, STAGES)).toThrow(
      expect.objectContaining({ description: 'Use one of: inbox, storage.' }),
    );
  });
});

describe('A whole number', () => {
  test.each([
    [5, 5],
    ['7', 7],
    [' 10 ', 10],
  ])('%p is %p', (value, number) => expect(wholeNumber('Limit', value, 1, 10)).toBe(number));

  test.each([0, 11, 1.5, '', ' ', 'x', null, undefined, Number.NaN, Number.POSITIVE_INFINITY, true])(
    '%p is none from 1 to 10',
    (value) =>
      expect(() => wholeNumber('Limit', value, 1, 10)).toThrow(
        `Limit must be a whole number from 1 to 10, not ${given(value)}.`,
      ),
  );
});

describe('Several texts', () => {
  test.each([
    [
      ['a', ' b ', ''],
      ['a', 'b'],
    ],
    ['a, b,,', ['a', 'b']],
    ['["a, b", 7]', ['a, b', '7']],
    [' [ ] ', []],
    [7, ['7']],
    ['', []],
    [undefined, []],
  ])('%p is %p', (value, list) => expect(parseStringList('Fields', value)).toEqual(list));

  test.each([
    ['[a, b', 'Fields starts like a JSON list, but is not valid JSON.'],
    ['[a]', 'Fields starts like a JSON list, but is not valid JSON.'],
    [[{}], 'Fields must be a text, not an empty object.'],
    [{}, 'Fields must be a text, not an empty object.'],
    ['[["a"]]', 'Fields must be a text, not a list (a).'],
  ])('%p is refused: %s', (value, message) =>
    expect(() => parseStringList('Fields', value)).toThrow(message),
  );
});
