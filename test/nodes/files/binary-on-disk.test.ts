import { jsonOf, runAction } from '../../support/action/action';
import { testBinaryMode } from '../../support/action/binary-modes';
import { itemsWithFiles, pdf } from '../../support/action/files';
import { useSandbox } from '../../support/sandbox/sandbox';
import { someCompany, uploadTo } from '../../support/action/uploads';

describe('Files on disk', () => testBinaryMode('filesystem'));

describe('Files in the JSON of an item', () => {
  testBinaryMode('filesystem', { binaryMode: 'combined' });

  describe('by their path', () => {
    const sandbox = useSandbox({ documents: 0, rateLimit: 'off' });

    test('as the editor gives it', async () => {
      const input = itemsWithFiles({ files: { data: { bytes: pdf('1'), name: 'x.pdf' } } });
      const [document] = jsonOf(
        await runAction(
          sandbox(),
          uploadTo(await someCompany(sandbox()), { binaryPropertyName: '_files.data' }),
          { input, settings: { binaryMode: 'combined' } },
        ),
      );
      expect(document).toMatchObject({ name: 'x.pdf' });
    });
  });
});
