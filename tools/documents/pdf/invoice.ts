import { rgb } from 'pdf-lib';
import { type Invoice, net, totals } from '../invoices';
import type { Party } from '../parties';
import { amount, day, decimal, words } from '../words';
import { fontsOf, GREY, MARGIN, newPdf, newSheet, type Sheet } from './sheet';

const PAPER_WHITE = rgb(1, 1, 1);

/** An invoice or credit note as a one-page PDF. */
export async function invoicePdf(invoice: Invoice): Promise<Uint8Array> {
  const label = words[invoice.language];
  const title = invoice.credits === undefined ? label.invoice : label.creditNote;
  const pdf = await newPdf(`${title} ${invoice.number}`, invoice.seller.name, invoice.issued);
  const sheet = newSheet(pdf, await fontsOf(pdf));
  drawHead(sheet, invoice, title);
  drawParties(sheet, invoice);
  const end = drawLines(sheet, invoice, 305);
  drawTotals(sheet, invoice, end + 26);
  drawFoot(sheet, invoice);
  return await pdf.save();
}

function drawHead(sheet: Sheet, { seller, number }: Invoice, title: string) {
  sheet.block(0, 96, rgb(...seller.accent));
  sheet.left(seller.name, MARGIN, 46, { size: 17, bold: true, color: PAPER_WHITE });
  sheet.left(`${seller.address}, ${seller.city}, ${seller.country}`, MARGIN, 66, {
    size: 9,
    color: PAPER_WHITE,
  });
  sheet.right(title, sheet.width - MARGIN, 46, { size: 17, color: PAPER_WHITE });
  sheet.right(number, sheet.width - MARGIN, 66, { size: 10, bold: true, color: PAPER_WHITE });
}

function drawParties(sheet: Sheet, invoice: Invoice) {
  const { buyer, language } = invoice;
  const label = words[language];
  sheet.left(label.buyer, MARGIN, 140, { size: 9, color: GREY });
  sheet.left(buyer.name, MARGIN, 157, { size: 12, bold: true });
  const rows = [buyer.address, `${buyer.city}, ${buyer.country}`, ...codes(buyer, language)];
  rows.forEach((text, index) => sheet.left(text, MARGIN, 174 + index * 15));

  const facts: Array<[string, string]> = [
    [label.number, invoice.number],
    [label.issued, day(invoice.issued)],
    [label.due, day(invoice.due)],
    [label.reference, invoice.reference],
  ];
  if (invoice.credits !== undefined) facts.push([label.credits, invoice.credits]);
  facts.forEach(([name, value], index) => {
    sheet.left(name, 340, 140 + index * 17, { color: GREY });
    sheet.right(value, sheet.width - MARGIN, 140 + index * 17, { bold: true });
  });
}

function codes(party: Party, language: Invoice['language']): string[] {
  const label = words[language];
  const registration = `${label.registration} ${party.registrationCode}`;
  return party.vatCode === undefined ? [registration] : [registration, `${label.vatCode} ${party.vatCode}`];
}

const COLUMNS = { quantity: 350, price: 415, vat: 465 };

function drawLines(sheet: Sheet, { lines, language }: Invoice, top: number): number {
  const label = words[language];
  const end = sheet.width - MARGIN;
  const head = { size: 9, bold: true, color: GREY };
  sheet.left(label.text, MARGIN, top - 22, head);
  sheet.right(label.quantity, COLUMNS.quantity, top - 22, head);
  sheet.right(label.price, COLUMNS.price, top - 22, head);
  sheet.right(label.vatRate, COLUMNS.vat, top - 22, head);
  sheet.right(`${label.sum} €`, end, top - 22, head);
  sheet.line(top - 14, GREY);
  lines.forEach((row, index) => {
    const y = top + 4 + index * 24;
    sheet.left(row.text, MARGIN, y);
    sheet.right(`${decimal(row.quantity, label.locale)} ${row.unit}`, COLUMNS.quantity, y);
    sheet.right(amount(row.price, label.locale), COLUMNS.price, y);
    sheet.right(decimal(row.vat, label.locale), COLUMNS.vat, y);
    sheet.right(amount(net(row), label.locale), end, y);
    sheet.line(y + 8);
  });
  return top + lines.length * 24;
}

function drawTotals(sheet: Sheet, invoice: Invoice, top: number) {
  const label = words[invoice.language];
  const { base, vat, gross } = totals(invoice);
  const end = sheet.width - MARGIN;
  const rows: Array<[string, number]> = [
    [label.net, base],
    ...vat.map((row): [string, number] => [`${label.vat} ${decimal(row.rate, label.locale)} %`, row.amount]),
  ];
  rows.forEach(([name, cents], index) => {
    sheet.left(name, 330, top + index * 18, { color: GREY });
    sheet.right(amount(cents, label.locale), end, top + index * 18);
  });
  const y = top + rows.length * 18 + 12;
  sheet.left(label.total, 330, y, { size: 13, bold: true, color: rgb(...invoice.seller.accent) });
  sheet.right(`${amount(gross, label.locale)} €`, end, y, { size: 13, bold: true });
}

function drawFoot(sheet: Sheet, { seller, language, note }: Invoice) {
  sheet.left(note, MARGIN, 745, { size: 9.5 });
  sheet.line(762);
  const small = { size: 8, color: GREY };
  sheet.left(`${seller.name}  ·  ${codes(seller, language).join('  ·  ')}`, MARGIN, 779, small);
  sheet.left(`IBAN ${seller.iban}  ·  ${seller.email}`, MARGIN, 792, small);
}
