import assert from 'node:assert/strict';
import type { Editor } from './editor';

/** What bookkeepers call their work. */
const WORDS = [
  'tax',
  'VAT',
  'invoice',
  'e-invoice',
  'invoice OCR',
  'OCR',
  'bill',
  'receipt',
  'expense',
  'scan',
  'bank statement',
  'payroll',
  'month end',
  'month-end',
  'deadline',
  'overdue',
  'obligation',
  'tax return',
  'bookkeeping',
  'accountant',
  'upload document',
  'upload invoice',
  'file document',
  'client',
  'obligations',
  'document recognized',
  'month-end work',
  'company settings',
];

/** As many entries as somebody reads before typing another word. */
const READ_FIRST = 5;

/** Looks for the node among all of n8n's by each word; throws for those that do not lead to it. */
export async function searchNodes({ page, settle }: Editor): Promise<void> {
  await page.getByTestId('node-creator-plus-button').click();
  const entries = page.getByTestId('node-creator-item-name');
  for (const word of WORDS) {
    await page.getByTestId('node-creator-search-bar').fill(word);
    await settle();
    await entries.filter({ hasText: /^\s*Accounting Agency\s*$/ }).waitFor();
    const names = await entries.allTextContents();
    const first = names.slice(0, READ_FIRST).map((name) => name.trim());
    assert.ok(first.includes('Accounting Agency'), `"${word}" finds: ${first.join(' | ')}`);
  }
}
