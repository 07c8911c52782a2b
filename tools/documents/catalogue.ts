import { statement, statementCsv } from './bank';
import { lease } from './contract';
import { invoices } from './invoices';
import { invoicePdf } from './pdf/invoice';
import { scanPdf } from './pdf/scan';
import { statementPdf } from './pdf/statement';
import { transferPdf } from './pdf/transfer';
import { receiptPng } from './png/receipt';
import { receipts } from './receipts';
import { eInvoiceXml } from './xml/e-invoice';
import { ublXml } from './xml/ubl';

const text = (content: string): Uint8Array => Buffer.from(content, 'utf8');

/** Every example document: its file name and how its bytes are made, the same every time. */
export const catalogue: Record<string, () => Promise<Uint8Array>> = {
  'arve-2026-0914.pdf': () => invoicePdf(invoices.bread),
  'arve-M-1188.pdf': () => invoicePdf(invoices.furniture),
  'kreeditarve-M-1191K.pdf': () => invoicePdf(invoices.credit),
  'lasku-50233.pdf': () => invoicePdf(invoices.freight),
  'invoice-INV-20417.pdf': () => invoicePdf(invoices.hosting),
  'Rechnung R-2026-0377.pdf': () => invoicePdf(invoices.machine),
  'Überweisung März.pdf': () => transferPdf(invoices.machine, '2026-11-09'),
  'konto-valjavote-2026-10.pdf': () => statementPdf(statement),
  'konto-2026-10.csv': async () => text(statementCsv(statement)),
  'skaneeritud-uurileping.pdf': () => scanPdf(lease),
  'kviitung-kohvik.png': async () => receiptPng(receipts.cafe),
  'kviitung-tankla.png': async () => receiptPng(receipts.fuel),
  'kviitung-bürootarbed.png': async () => receiptPng(receipts.office),
  'e-arve-M-1188.xml': async () => text(eInvoiceXml(invoices.furniture)),
  'e-arve-7731.xml': async () => text(eInvoiceXml(invoices.cleaning)),
  'ubl-2026-0914.xml': async () => text(ublXml(invoices.bread)),
};
