import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENTS, importExample, runByHand, type Trial } from './desk';

const BUYER_OF_UBL = 'EE203308421';
const BUYER_OF_E_ARVE = 'EE208701135';
const IN_THE_FOLDER = 'Read the folder';

/** `e-invoices-by-vat-code.json`. */
export const eInvoices: Trial = async (desk, check) => {
  const folder = join(desk.folder, 'e-invoices');
  const [one, other] = desk.companies.filter(({ vatCode }) => vatCode !== null);
  const codes = [String(one?.vatCode), String(other?.vatCode)] as const;
  const put = async (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
  /** An e-invoice whose buyer and seller have other codes. */
  const eInvoice = async (name: string, buyer: string, code: string) => {
    const text = await readFile(join(DOCUMENTS, name), 'utf8');
    assert.ok(text.includes(buyer));
    await put(`buyer-${name}`, text.replaceAll(buyer, code));
  };
  await check(
    'e-invoices-by-vat-code: each file goes to its company; what has no code leaves with its reason',
    async () => {
      await mkdir(folder, { recursive: true });
      await eInvoice('ubl-2026-0914.xml', BUYER_OF_UBL, codes[0]);
      await eInvoice('e-arve-M-1188.xml', BUYER_OF_E_ARVE, codes[1]);
      await put(`${codes[0]} receipt.pdf`, 'a scan');
      await put('no-buyer.xml', `<Invoice><SellerParty>${codes[0]}</SellerParty></Invoice>`);
      await put('half.XML', '<Invoice><cac:AccountingCustomerParty>');
      await put('receipt.pdf', 'a scan without a code');
      await put('EE000000001 receipt.pdf', 'a scan of nobody');
      const id = await importExample({ ...desk, folder }, 'e-invoices-by-vat-code.json');
      const run = async () => {
        const execution = await runByHand(desk, id);
        assert.equal(execution.status, 'success', execution.error);
        return (node: string) => execution.items(node).map(({ json }) => json);
      };
      const first = await run();
      assert.equal(first(IN_THE_FOLDER).length, 7);
      const filed = first('Filed').map(({ file, company, skipped }) => [file, company, skipped].join('|'));
      const wanted = [
        `buyer-ubl-2026-0914.xml|${one?.name}`,
        `buyer-e-arve-M-1188.xml|${other?.name}`,
        `${codes[0]} receipt.pdf|${one?.name}`,
      ];
      assert.deepEqual(filed.sort(), wanted.map((row) => `${row}|false`).sort());
      const reasons = first('Not filed').map(({ file, reason }) => [String(file), String(reason)]);
      assert.deepEqual(reasons.map(([file]) => file).sort(), [
        'EE000000001 receipt.pdf',
        'half.XML',
        'no-buyer.xml',
        'receipt.pdf',
      ]);
      for (const [, reason] of reasons) assert.match(String(reason), /^Company /);
      const again = (await run())('Filed').map(({ skipped }) => skipped);
      assert.deepEqual(again, [true, true, true]);
    },
  );
};
