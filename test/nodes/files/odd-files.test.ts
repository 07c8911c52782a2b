import type { INodeExecutionData } from 'n8n-workflow';
import { runAction } from '../../support/action/action';
import { pdf, sha256 } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { uploadTo, useCompany } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

const bytes = pdf('odd');
const content = bytes.toString('base64');
const named = { mimeType: 'application/pdf', fileName: 'a.pdf' };

/** Items with one file each, as a Code node makes them: n8n's types hold nothing there. */
const itemsOf = (files: unknown[], isCombined = false): INodeExecutionData[] =>
  files.map((data) => Object(isCombined ? { json: { _files: { data } } } : { json: {}, binary: { data } }));

const UNREADABLE = 'Input Binary Field "data" has a file whose content cannot be read.';
const WITHOUT_ID = 'Input Binary Field "data" refers to a file stored by n8n, but without its ID.';
const GONE = 'Input Binary Field "data" refers to a file that n8n no longer has.';

/** Files of which n8n would send other bytes, or stumble with an error of JavaScript. */
const REFUSED: Array<[unknown, string]> = [
  ...[undefined, null, 5, true, {}, [1, 2, 3], { data: content }].map((data): [unknown, string] => [
    { ...named, data },
    UNREADABLE,
  ]),
  ...[`data:application/pdf;base64,${content}`, 'Not Base64, but text.', 'õ'].map(
    (data): [unknown, string] => [{ ...named, data }, UNREADABLE],
  ),
  ...[5, true, {}, [1]].map((id): [unknown, string] => [{ ...named, data: content, id }, UNREADABLE]),
  ...['azure', 'database', 'filesystem', 'filesystem-v2', 's3'].flatMap((data): Array<[unknown, string]> => [
    [{ ...named, data, bytes: 100 }, WITHOUT_ID],
    [{ ...named, data, id: null }, WITHOUT_ID],
  ]),
  [{ ...named, data: 's3', id: 's3:x' }, GONE],
  [{ ...named, data: 'filesystem-v2', id: 'some' }, GONE],
];

const TAKEN: unknown[] = [
  { ...named, data: content },
  { ...named, data: content.replace(/.{76}/g, '$&\r\n') },
  { ...named, data: bytes.toString('base64url') },
  { ...named, data: bytes },
  { ...named, data: bytes.toJSON() },
  ...[null, ''].map((id) => ({ ...named, data: content, id })),
  ...['5', -1, Number.NaN, null, 1e12].map((length) => ({ ...named, data: content, bytes: length })),
];

test.each([
  ['separate', false, 'data'],
  ['separate', false, '*'],
  ['combined', true, 'data'],
  ['combined', true, '*'],
  ['combined', true, '_files.data'],
] as const)(
  'with files %s from the JSON, those that cannot be read are refused, and no other bytes are ever sent',
  async (binaryMode, isCombined, binaryPropertyName) => {
    const { outputs } = await runAction(
      sandbox(),
      uploadTo(company(), { binaryPropertyName, output: 'all' }),
      {
        input: itemsOf([...REFUSED.map(([file]) => file), ...TAKEN], isCombined),
        onError: 'continueErrorOutput',
        settings: { binaryMode },
      },
    );
    const [done = [], failed = []] = outputs;
    expect(failed.map(({ json }) => json.error)).toEqual(
      REFUSED.map(([, message]) =>
        binaryPropertyName === '*' ? message : message.replace('data', binaryPropertyName),
      ),
    );
    expect(failed.map(({ pairedItem }) => pairedItem)).toEqual(REFUSED.map((_, item) => ({ item })));
    expect(done.map(({ json }) => Object(json.file).sha256)).toEqual(TAKEN.map(() => sha256(bytes)));
  },
);

test('a file without any bytes is not left out of "*"', async () => {
  const input = [{ json: {}, binary: { a: { ...named, data: content }, b: Object(named) } }];
  const { error } = await runAction(sandbox(), uploadTo(company(), { binaryPropertyName: '*' }), { input });
  expect(error?.message).toBe('Input Binary Field "b" has a file whose content cannot be read. [item 0]');
  expect(await sandbox().requests()).toEqual([]);
});

test.each([
  ['arve.pdf.', 'arve.pdf'],
  ['arve.pdf\u200e', 'arve.pdf'],
  ['\u202aarve.pdf', 'arve.pdf'],
  ['arve.pdf\0', 'arve.pdf'],
  ['Pikk nimi,\r\n\tteine rida.pdf', 'Pikk nimi, teine rida.pdf'],
  ['a  b\u200d.pdf', 'a  b\u200d.pdf'],
  ['...', 'document.pdf'],
  ['\u200b', 'document.pdf'],
  ['CON', 'CON.pdf'],
  ['Arve 5/2026.pdf', 'Arve 5/2026.pdf'],
])('a file named %j is sent as %j, whether by its own name or by File Name', async (given, sent) => {
  const input = itemsOf([
    { ...named, data: content, fileName: given },
    { ...named, data: content, fileName: undefined },
  ]);
  const options = { fileName: '={{ $itemIndex === 1 ? $json.name : "" }}' };
  for (const item of input) item.json = { name: given };
  const { outputs, error } = await runAction(sandbox(), uploadTo(company(), { options }), { input });
  expect(error).toBeUndefined();
  expect(outputs[0]?.map(({ json }) => json.originalFilename)).toEqual([sent, sent]);
});

test('a name that is too long is told with its field', async () => {
  const input = itemsOf([{ ...named, data: content, fileName: `${'x'.repeat(252)}.pdf` }]);
  const { error } = await runAction(sandbox(), uploadTo(company()), { input });
  expect(error?.message).toBe('File name of "data" has 256 characters, but only 255 are allowed. [item 0]');
});

test('a type that is too long for a header gives way to that of the name', async () => {
  const input = itemsOf([{ ...named, data: content, mimeType: `application/${'x'.repeat(20_000)}` }]);
  const { error } = await runAction(sandbox(), uploadTo(company()), { input });
  expect(error).toBeUndefined();
});
