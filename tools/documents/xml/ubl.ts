import { type Invoice, net, totals } from '../invoices';
import type { Party } from '../parties';
import { el, type Element, money, xmlDocument } from './write';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';

const euros = (name: string, cents: number): Element =>
  el(`cbc:${name}`, money(cents), { currencyID: 'EUR' });

const category = (rate: number): Element[] => [
  el('cbc:ID', rate === 0 ? 'E' : 'S'),
  el('cbc:Percent', String(rate)),
  el('cac:TaxScheme', [el('cbc:ID', 'VAT')]),
];

const partyOf = (role: string, party: Party): Element =>
  el(`cac:${role}`, [
    el('cac:Party', [
      el('cbc:EndpointID', party.email, { schemeID: 'EM' }),
      el('cac:PostalAddress', [
        el('cbc:StreetName', party.address),
        el('cbc:CityName', party.city),
        el('cac:Country', [el('cbc:IdentificationCode', party.countryCode)]),
      ]),
      ...(party.vatCode === undefined
        ? []
        : [
            el('cac:PartyTaxScheme', [
              el('cbc:CompanyID', party.vatCode),
              el('cac:TaxScheme', [el('cbc:ID', 'VAT')]),
            ]),
          ]),
      el('cac:PartyLegalEntity', [
        el('cbc:RegistrationName', party.name),
        el('cbc:CompanyID', party.registrationCode),
      ]),
    ]),
  ]);

/** An invoice in the form of UBL 2.1 (OASIS), with the customization of EN 16931. */
export function ublXml(invoice: Invoice): string {
  const { base, vat, tax, gross } = totals(invoice);
  const lines = invoice.lines.map((line, index) =>
    el('cac:InvoiceLine', [
      el('cbc:ID', String(index + 1)),
      el('cbc:InvoicedQuantity', String(line.quantity), { unitCode: 'C62' }),
      euros('LineExtensionAmount', net(line)),
      el('cac:Item', [el('cbc:Name', line.text), el('cac:ClassifiedTaxCategory', category(line.vat))]),
      el('cac:Price', [euros('PriceAmount', line.price)]),
    ]),
  );
  const subtotals = vat.map((row) =>
    el('cac:TaxSubtotal', [
      euros('TaxableAmount', row.base),
      euros('TaxAmount', row.amount),
      el('cac:TaxCategory', category(row.rate)),
    ]),
  );
  return xmlDocument(
    el(
      'Invoice',
      [
        el('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
        el('cbc:ID', invoice.number),
        el('cbc:IssueDate', invoice.issued),
        el('cbc:DueDate', invoice.due),
        el('cbc:InvoiceTypeCode', '380'),
        el('cbc:Note', invoice.note),
        el('cbc:DocumentCurrencyCode', 'EUR'),
        partyOf('AccountingSupplierParty', invoice.seller),
        partyOf('AccountingCustomerParty', invoice.buyer),
        el('cac:PaymentMeans', [
          el('cbc:PaymentMeansCode', '30'),
          el('cbc:PaymentID', invoice.reference),
          el('cac:PayeeFinancialAccount', [el('cbc:ID', invoice.seller.iban.replaceAll(' ', ''))]),
        ]),
        el('cac:TaxTotal', [euros('TaxAmount', tax), ...subtotals]),
        el('cac:LegalMonetaryTotal', [
          euros('LineExtensionAmount', base),
          euros('TaxExclusiveAmount', base),
          euros('TaxInclusiveAmount', gross),
          euros('PayableAmount', gross),
        ]),
        ...lines,
      ],
      {
        xmlns: `${UBL}Invoice-2`,
        'xmlns:cac': `${UBL}CommonAggregateComponents-2`,
        'xmlns:cbc': `${UBL}CommonBasicComponents-2`,
      },
    ),
  );
}
