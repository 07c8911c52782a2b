import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { invoices, totals } from '../../../tools/documents/invoices';
import { catalogue } from '../../../tools/documents/catalogue';

const FOLDER = join(__dirname, '../../../examples/documents');
const files = readdirSync(FOLDER);

const committed = (name: string) => readFileSync(join(FOLDER, name));

// Deflate may differ between builds of zlib; the pixels may not.
const comparable = (name: string, bytes: Uint8Array): Buffer =>
  name.endsWith('.png') ? PNG.sync.read(Buffer.from(bytes)).data : Buffer.from(bytes);

describe('the example documents', () => {
  test('are exactly the files of the catalogue', () => {
    expect(files.sort()).toEqual(Object.keys(catalogue).sort());
    expect(files.length).toBeGreaterThanOrEqual(12);
  });

  test.each(Object.entries(catalogue))('%s is what its generator makes', async (name, make) => {
    const made = comparable(name, await make());
    expect(made.equals(comparable(name, committed(name)))).toBe(true);
  });

  test.each(files)('%s begins like a file of its kind', (name) => {
    const heads: Record<string, string> = {
      pdf: '%PDF-1.',
      png: '\u0089PNG',
      xml: '<?xml',
      csv: '\u00ef\u00bb\u00bf',
    };
    const head = heads[name.split('.').pop() ?? ''];
    expect(head).toBeDefined();
    expect(committed(name).subarray(0, head?.length).toString('latin1')).toBe(head);
  });

  test('hold one of several megabytes, one with umlauts in composed form, and stay under 8 MB', () => {
    const sizes = files.map((name) => committed(name).length);
    expect(Math.max(...sizes)).toBeGreaterThan(3_000_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_000_000);
    expect(files).toContain('Überweisung März.pdf'.normalize('NFC'));
  });

  test('add up', () => {
    expect(totals(invoices.furniture)).toEqual({
      base: 249_900,
      vat: [{ rate: 24, base: 249_900, amount: 59_976 }],
      tax: 59_976,
      gross: 309_876,
    });
    expect(totals(invoices.freight).vat.map(({ rate }) => rate)).toEqual([25.5, 0]);
  });
});
