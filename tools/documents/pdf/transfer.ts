import { rgb } from 'pdf-lib';
import { type Invoice, totals } from '../invoices';
import { amount, day } from '../words';
import { fontsOf, GREY, MARGIN, newPdf, newSheet } from './sheet';

/** A German bank's confirmation that an invoice was paid. */
export async function transferPdf(invoice: Invoice, paid: string): Promise<Uint8Array> {
  const pdf = await newPdf(`Überweisung ${invoice.number}`, 'Musterbank Nord', paid);
  const sheet = newSheet(pdf, await fontsOf(pdf));
  sheet.block(0, 12, rgb(0.62, 0.1, 0.14));
  sheet.left('Musterbank Nord', MARGIN, 66, { size: 18, bold: true });
  sheet.left('Bestätigung Ihrer Überweisung', MARGIN, 92, { size: 13, color: GREY });
  const rows: Array<[string, string]> = [
    ['Ausgeführt am', day(paid)],
    ['Auftraggeber', invoice.buyer.name],
    ['IBAN des Auftraggebers', invoice.buyer.iban],
    ['Empfänger', invoice.seller.name],
    ['IBAN des Empfängers', invoice.seller.iban],
    ['Verwendungszweck', `Rechnung ${invoice.number}, Maschinen für März`],
    ['Entgelt', '0,00 €'],
  ];
  rows.forEach(([name, value], index) => {
    const y = 150 + index * 30;
    sheet.left(name, MARGIN, y, { color: GREY });
    sheet.left(value, 220, y, { size: 11 });
    sheet.line(y + 11);
  });
  sheet.left('Betrag', MARGIN, 384, { size: 14, bold: true });
  sheet.left(`${amount(totals(invoice).gross, 'de')} €`, 220, 384, { size: 14, bold: true });
  sheet.left('Diese Bestätigung wurde maschinell erstellt und ist ohne Unterschrift gültig.', MARGIN, 440, {
    size: 8.5,
    color: GREY,
  });
  return await pdf.save();
}
