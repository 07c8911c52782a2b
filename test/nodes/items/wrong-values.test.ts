import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { runAction } from '../../support/action/action';
import { everyField, type Place } from '../../support/action/every-field';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { uploadTo, useCompany } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

const places = everyField('={{ $json.value }}');

const itemsOf = (...values: Array<IDataObject[string]>) =>
  itemsWithFiles(
    ...values.map((value, index) => ({
      json: { value },
      files: { data: { bytes: pdf(`${index}`), name: 'a.pdf' } },
    })),
  );

/** What the messages of the failed items say, and whether anything was sent. */
async function refusals({ parameters }: Place, ...values: Array<IDataObject[string]>) {
  const { outputs } = await runAction(sandbox(), parameters, {
    input: itemsOf(...values),
    onError: 'continueErrorOutput',
  });
  const said = (outputs[1] ?? []).map(({ json }) => String(json.error));
  return { said, requests: await sandbox().requests(), done: outputs[0] };
}

const takesLists = ({ field, parameters, label }: Place) =>
  field.type === 'multiOptions' ||
  (field.name === 'binaryPropertyName' && parameters.operation === 'upload') ||
  label === 'Fields 1: Value';
const takesObjects = ({ field, label }: Place) => field.type === 'json' || label === 'Fields 1: Value';

/** What a message says of a wrong value; nothing for one that can be used here. */
const wrong = (place: Place): Array<[IDataObject[string], RegExp]> => [
  ...(takesLists(place)
    ? []
    : ([
        [['some', 'other'], /a list \(some, other\)/],
        [[{}], /a list of 1 entry/],
      ] satisfies Array<[IDataObject[string], RegExp]>)),
  ...(takesObjects(place)
    ? []
    : ([[{ id: 'secret', name: 'secret' }, /an object \(id, name\)/]] satisfies Array<
        [IDataObject[string], RegExp]
      >)),
  [Number.NaN, /NaN|cannot be sent/],
  // JavaScript has rounded it.
  [2 ** 60, /1152921504606847000|cannot be sent/],
  ['some [object Object]', /\[object Object\]/],
  ['some Invalid DateTime', /Invalid DateTime/],
  ['some\ud83e', /half of a character|not ("|a )|cannot be "|: "/],
];

test.each(places.map((place) => [place.title, place] as const))(
  '%s refuses lists, objects, numbers that are none and half characters by field and item, and shows what was given',
  async (_, place) => {
    const values = wrong(place);
    const { said, requests, done } = await refusals(place, ...values.map(([value]) => value));
    expect(done).toEqual([]);
    expect(said).toEqual(values.map(([, message]) => expect.stringMatching(message)));
    // Of a row's other field the message names the form.
    const name = place.field.name === 'value' ? 'Other Fields' : place.field.displayName;
    for (const message of said) expect(message).toContain(name);
    // A file may be given by mistake, so of an object only the names are shown.
    expect(said.join()).not.toContain('secret');
    expect(requests).toEqual([]);
  },
);

test('the file itself in place of the name of its field is told as that', async () => {
  const parameters = uploadTo(company(), { binaryPropertyName: '={{ $binary.data }}' });
  const { error } = await runAction(sandbox(), parameters, { input: itemsOf(1) });
  expect(error?.message).toMatch(
    /^Input Binary Field must be the name of a field, not the file itself: .*\[item 0\]$/,
  );
  expect(error?.description).toBe('Enter the name without an expression, e.g. data.');
});

test('rows that are one expression are told how to give all fields at once', async () => {
  const { error } = await runAction(
    sandbox(),
    {
      resource: 'task',
      operation: 'submitResult',
      taskId: 'some',
      status: 'done',
      otherFields: { values: '={{ $json.rows }}' },
    },
    { input: [{ json: { rows: [{ name: 'a', value: 'b' }] } }] },
  );
  expect(error?.message).toBe('Name of Other Fields 1 is empty. [item 0]');
  expect(error?.description).toContain(
    'cannot be an expression: to set all fields with an expression, select "Using JSON"',
  );
});

/** Items as a Code node can make them, which break n8n's own promises. */
const odd = (text: string): INodeExecutionData => JSON.parse(text);
const bytes = pdf('1').toString('base64');

const everyOperation = [
  ...new Map(places.map((place) => [place.title.split(': ').slice(0, 2).join(': '), place])).entries(),
];

test.each(everyOperation)(
  '%s takes an item without JSON or without files as an empty one',
  async (_, place) => {
    const { parameters } = everyField('={{ "\ud83e" }}').find(({ title }) => title === place.title) ?? place;
    const input = [
      '{"json":{},"binary":null}',
      '{}',
      '{"binary":null}',
      '{"json":{},"binary":{"data":null}}',
    ].map(odd);
    const { outputs } = await runAction(sandbox(), parameters, { input, onError: 'continueErrorOutput' });
    expect(outputs[0]).toEqual([]);
    expect(outputs[1]).toHaveLength(input.length);
    for (const { json } of outputs[1] ?? []) {
      // An upload misses its file first.
      const told = String(json.error);
      expect([place.field.displayName, 'Input Binary Field'].some((name) => told.startsWith(name))).toBe(
        true,
      );
      expect(json.error).not.toMatch(/undefined|cannot read|is not a function/i);
    }
  },
);

test.each([
  ['12345', '12345.pdf'],
  ['""', 'document.pdf'],
  ['"  "', 'document.pdf'],
  ['null', 'document.pdf'],
])('a file that is named %s is sent as %s', async (name, sent) => {
  const input = [
    odd(`{"json":{},"binary":{"data":{"data":"${bytes}","mimeType":"application/pdf","fileName":${name}}}}`),
  ];
  const { error, outputs } = await runAction(sandbox(), uploadTo(company()), { input });
  expect(error).toBeUndefined();
  expect(outputs[0]?.[0]?.json.originalFilename).toBe(sent);
});

test.each([
  ['{"a":1}', 'File name of "data" must be text, not an object (a). [item 0]'],
  ['["a.pdf"]', 'File name of "data" must be text, not a list (a.pdf). [item 0]'],
  ['true', 'File name of "data" must be text, not true. [item 0]'],
  ['"a\\ud83e.pdf"', 'File name of "data" contains half of a character, such as half of an emoji. [item 0]'],
])('a file that is named %s is refused', async (name, message) => {
  const input = [
    odd(`{"json":{},"binary":{"data":{"data":"${bytes}","mimeType":"application/pdf","fileName":${name}}}}`),
  ];
  const { error } = await runAction(sandbox(), uploadTo(company()), { input });
  expect(error?.message).toBe(message);
  expect(await sandbox().requests()).toEqual([]);
});

test.each(['5', 'null', '{}', '""'])('a file of the type %s is sent with that of its name', async (type) => {
  const input = [
    odd(`{"json":{},"binary":{"data":{"data":"${bytes}","mimeType":${type},"fileName":"x.pdf"}}}`),
  ];
  const { error } = await runAction(sandbox(), uploadTo(company()), { input });
  expect(error).toBeUndefined();
});
