import { type Invoice, net, totals } from '../invoices';
import type { Party } from '../parties';
import { el, type Element, money, xmlDocument } from './write';

const partyOf = (role: string, party: Party): Element =>
  el(role, [
    el('Name', party.name),
    el('RegNumber', party.registrationCode),
    ...(party.vatCode === undefined ? [] : [el('VATRegNumber', party.vatCode)]),
    el('ContactData', [
      el('E-mailAddress', party.email),
      el('LegalAddress', [
        el('PostalAddress1', party.address),
        el('City', party.city),
        el('Country', party.country),
      ]),
    ]),
  ]);

/** An invoice in the form of the Estonian e-invoice 1.2. */
export function eInvoiceXml(invoice: Invoice): string {
  const { base, vat, tax, gross } = totals(invoice);
  const { seller, buyer } = invoice;
  const information = [
    el('Type', [], { type: invoice.credits === undefined ? 'DEB' : 'CRE' }),
    el('DocumentName', 'Arve'),
    el('InvoiceNumber', invoice.number),
    el('PaymentReferenceNumber', invoice.reference),
    el('InvoiceDate', invoice.issued),
    el('DueDate', invoice.due),
  ];
  const sums = [
    el('InvoiceSum', money(base)),
    ...vat.map((row) =>
      el('VAT', [
        el('SumBeforeVAT', money(row.base)),
        el('VATRate', row.rate.toFixed(2)),
        el('VATSum', money(row.amount)),
      ]),
    ),
    el('TotalVATSum', money(tax)),
    el('TotalSum', money(gross)),
    el('Currency', 'EUR'),
  ];
  const items = invoice.lines.map((line, index) =>
    el('ItemEntry', [
      el('RowNo', String(index + 1)),
      el('Description', line.text),
      el('ItemDetailInfo', [
        el('ItemUnit', line.unit),
        el('ItemAmount', line.quantity.toFixed(2)),
        el('ItemPrice', money(line.price)),
      ]),
      el('ItemSum', money(net(line))),
      el('VAT', [el('VATRate', line.vat.toFixed(2))]),
    ]),
  );
  const body = [
    el('InvoiceParties', [partyOf('SellerParty', seller), partyOf('BuyerParty', buyer)]),
    el('InvoiceInformation', information),
    el('InvoiceSumGroup', sums),
    el('InvoiceItem', [el('InvoiceItemGroup', items)]),
    el('AdditionalInformation', [el('InformationContent', invoice.note)]),
    el('PaymentInfo', [
      el('Currency', 'EUR'),
      el('PaymentRefId', invoice.reference),
      el('Payable', 'YES'),
      el('PayDueDate', invoice.due),
      el('PaymentTotalSum', money(gross)),
      el('PayerName', buyer.name),
      el('PaymentId', invoice.number),
      el('PayToAccount', seller.iban.replaceAll(' ', '')),
      el('PayToName', seller.name),
    ]),
  ];
  return xmlDocument(
    el('E_Invoice', [
      el('Header', [el('Date', invoice.issued), el('FileId', invoice.number), el('Version', '1.2')]),
      el('Invoice', body, {
        invoiceId: invoice.number,
        regNumber: buyer.registrationCode,
        sellerRegnumber: seller.registrationCode,
      }),
      el('Footer', [el('TotalNumberInvoices', '1'), el('TotalAmount', money(gross))]),
    ]),
  );
}
