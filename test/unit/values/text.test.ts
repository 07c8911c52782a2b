import { given, howToGiveOne } from '../../../nodes/shared/values/describe-value';
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
  const CHECK = 'Check the expression of this field.';
  const CORRECT = 'Correct the expression. For an object, use one of its fields, e.g. {{ $json.from.text }}.';

  test.each([
    [' a b ', 'a b'],
    [42, '42'],
    [0, '0'],
    [1.5, '1.5'],
    ['An Invalid Date', 'An Invalid Date'],
    ['Invalid Dates', 'Invalid Dates'],
    [2 ** 53 - 1, '9007199254740991'],
  ])('%p is %p', (value, text) => expect(requiredText('Name', value, 16)).toBe(text));

  test.each([
    ['', 'Name is empty.', 'Enter Name, or an expression that returns it.'],
    [undefined, 'Name is empty.', 'Enter Name, or an expression that returns it.'],
    [{}, 'Name must be text, not an empty object.', `${CHECK} ${howToGiveOne({})}`],
    [['a'], 'Name must be text, not a list (a).', `${CHECK} ${howToGiveOne([])}`],
    [true, 'Name must be text, not true.', CHECK],
    [Number.NaN, 'Name must be text, not NaN.', CHECK],
    [Number.NEGATIVE_INFINITY, 'Name must be text, not -Infinity.', CHECK],
    [
      2 ** 53,
      'Name must be text, not 9007199254740992.',
      `${CHECK} A number this long is not exact: pass it as text, in quotes.`,
    ],
    ['[object Object]', 'Name contains "[object Object]", which means that a value is not text.', CORRECT],
    ['Invalid Date', 'Name contains "Invalid Date", which means that a value is not text.', CORRECT],
    [
      '\ud83e',
      'Name contains half of a character, such as half of an emoji.',
      'The text was cut in the middle of a character. Enter it again.',
    ],
    ['12345678901', 'Name has 11 characters, but only 10 are allowed.', 'Shorten it.'],
  ])('%p is refused: %s %s', (value, message, description) =>
    expect(() => requiredText('Name', value, 10)).toThrow(expect.objectContaining({ message, description })),
  );

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
    expect(requiredId('Company', '\u202a\u200ecmp\u200d_1\u200e \0')).toBe('cmp\u200d_1');
    expect(() => requiredId('Company', '\u200b')).toThrow('Company is empty.');
  });

  test('has 1 to 200 characters, and no spaces around it', () => {
    expect(requiredId('Company', `\t${'x'.repeat(200)} `)).toHaveLength(200);
    expect(() => requiredId('Company', 'x'.repeat(201))).toThrow(
      'Company has 201 characters, but only 200 are allowed.',
    );
    expect(() => requiredId('Company', '')).toThrow('Company is empty.');
    expect(optionalId('Company', '')).toBeUndefined();
    expect(optionalId('Company', ' company_1 ')).toBe('company_1');
  });

  test('may be a number', () => expect(requiredId('Company', 42)).toBe('42'));
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
    [1, 1],
    [5, 5],
    ['7', 7],
    [' 10 ', 10],
  ])('%p is %p', (value, number) => expect(wholeNumber('Limit', value, 1, 10)).toBe(number));

  test.each([-1, 11, 1.5, '', ' ', 'x', null, undefined, Number.NaN, Number.POSITIVE_INFINITY, true, [5]])(
    '%p is none from 0 to 10',
    (value) =>
      expect(() => wholeNumber('Limit', value, 0, 10)).toThrow(
        expect.objectContaining({
          message: `Limit must be a whole number from 0 to 10, not ${given(value)}.`,
          description: ['Correct the number.', howToGiveOne(value)].filter(Boolean).join(' '),
        }),
      ),
  );

  test('is refused with the least one when there is no most', () =>
    expect(() => wholeNumber('Limit', 0, 1, Number.MAX_SAFE_INTEGER)).toThrow(
      'Limit must be a whole number of at least 1, not 0.',
    ));
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
    [
      '[a, b',
      'Fields starts like a JSON list, but is not valid JSON.',
      'Write it as ["a", "b"], or as a, b.',
    ],
    ['[a]', 'Fields starts like a JSON list, but is not valid JSON.', 'Write it as ["a", "b"], or as a, b.'],
    [[{}], 'Fields must be text, not an empty object.', howToGiveOne({})],
    [{}, 'Fields must be text, not an empty object.', howToGiveOne({})],
    ['[["a"]]', 'Fields must be text, not a list (a).', howToGiveOne([])],
  ])('%p is refused: %s', (value, message, resolution) =>
    expect(() => parseStringList('Fields', value)).toThrow(
      expect.objectContaining({ message, description: expect.stringContaining(resolution) }),
    ),
  );
});
