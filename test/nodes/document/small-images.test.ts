import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, runAction } from '../../support/action/action';
import { itemsWithFiles, pdf, type TestFile } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { trail, uploadTo, useCompany } from '../../support/action/uploads';

const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });
const company = useCompany(sandbox);

const image = (kilobytes: number, name: string, type = 'image/png'): TestFile => ({
  bytes: Buffer.alloc(Math.ceil(kilobytes * 1024), name),
  name,
  type,
});
const invoice = { bytes: pdf('1'), name: 'invoice.pdf' };

type Files = Record<string, TestFile>;

const run = async (items: Files[], options: INodeParameters, field = '*') =>
  await runAction(sandbox(), uploadTo(company(), { binaryPropertyName: field, options }), {
    input: itemsWithFiles(...items.map((files) => ({ files }))),
  });

const namesOf = (result: Awaited<ReturnType<typeof run>>) => jsonOf(result).map((json) => Object(json).name);

test('images under the size are left out and counted, and nothing else is', async () => {
  const files = {
    logo: image(19.9, 'logo.png'),
    photo: image(20, 'photo.png'),
    camera: image(3, 'camera', 'IMAGE/JPEG'),
    untyped: image(3, 'banner.gif', 'application/octet-stream'),
    scan: image(3, 'scan.pdf', 'application/pdf'),
    // As some scanners send it.
    odd: image(3, 'odd.pdf', 'image/png'),
    invoice,
  };
  const result = await run([files, { invoice, logo: image(1, 'logo.png') }], { leaveOutImagesUnderKb: 20 });
  expect(namesOf(result)).toEqual(['photo.png', 'scan.pdf', 'odd.pdf', 'invoice.pdf', 'invoice.pdf']);
  expect(result.hints).toEqual(['Small images ignored: 4']);
});

test.each([{}, { leaveOutImagesUnderKb: 0 }, { leaveOutImagesUnderKb: '={{ null }}' }])(
  'with %j every image is filed',
  async (options) => {
    const result = await run([{ logo: image(1, 'logo.png') }], options);
    expect(namesOf(result)).toEqual(['logo.png']);
    expect(result.hints).toEqual([]);
  },
);

test('an item that holds nothing else sends nothing and outputs nothing, and the hint says so', async () => {
  const items: Files[] = [
    { logo: image(1, 'logo.png') },
    { invoice },
    { logo: image(2, 'icon.svg', 'image/svg+xml') },
  ];
  const result = await run(items, { leaveOutImagesUnderKb: 20, waitForRecognition: false });
  expect(result.outputs[0]).toMatchObject([{ json: { name: 'invoice.pdf' }, pairedItem: { item: 1 } }]);
  expect(result.hints).toEqual(['Small images ignored: 2', 'Items without any other file: 2']);
  expect(await trail(sandbox())).toEqual([`GET /companies/${company()}`, 'POST /files', 'POST /documents']);
});

test('when no item holds anything else, the hint is there too', async () => {
  const result = await run([{ data: image(1, 'logo.png') }], { leaveOutImagesUnderKb: 20 }, 'data');
  expect(result.outputs.flat()).toEqual([]);
  expect(result.hints).toEqual(['Small images ignored: 1', 'Items without any other file: 1']);
  expect(await trail(sandbox())).toEqual([]);
});

test('an item that has no file at all is still an error', async () => {
  const { error } = await run([{}], { leaveOutImagesUnderKb: 20 });
  expect(error?.message).toContain('the item has no files');
});

test('File Name is for the one file that is left', async () => {
  const files = { invoice, logo: image(1, 'logo.png') };
  const options = { leaveOutImagesUnderKb: 20, fileName: 'renamed.pdf' };
  expect(namesOf(await run([files], options))).toEqual(['renamed.pdf']);
});

test.each([-1, 1.5, 1025, 'many'])('the size %j is refused before anything is sent', async (size) => {
  const { error } = await run([{ invoice }], { leaveOutImagesUnderKb: size });
  expect(error?.message).toMatch(
    /^Ignore Images Under \(KB\) must be a whole number from 0 to 1024, not .*\[item 0\]$/,
  );
  expect(await trail(sandbox())).toEqual([]);
});
