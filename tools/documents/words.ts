import type { Language } from './invoices';

interface Words {
  locale: string;
  invoice: string;
  creditNote: string;
  number: string;
  issued: string;
  due: string;
  reference: string;
  buyer: string;
  registration: string;
  vatCode: string;
  credits: string;
  text: string;
  quantity: string;
  price: string;
  sum: string;
  net: string;
  vat: string;
  /** At the head of a narrow column. */
  vatRate: string;
  total: string;
}

/** The words of an invoice in each language. */
export const words: Record<Language, Words> = {
  et: {
    locale: 'et',
    invoice: 'Arve',
    creditNote: 'Kreeditarve',
    number: 'Arve nr',
    issued: 'Kuupäev',
    due: 'Maksetähtaeg',
    reference: 'Viitenumber',
    buyer: 'Ostja',
    registration: 'Registrikood',
    vatCode: 'KMKR',
    credits: 'Krediteerib arvet',
    text: 'Kirjeldus',
    quantity: 'Kogus',
    price: 'Hind',
    sum: 'Summa',
    net: 'Summa käibemaksuta',
    vat: 'Käibemaks',
    vatRate: 'KM %',
    total: 'Kokku tasuda',
  },
  en: {
    locale: 'en-IE',
    invoice: 'Invoice',
    creditNote: 'Credit note',
    number: 'Invoice no.',
    issued: 'Date',
    due: 'Due date',
    reference: 'Reference',
    buyer: 'Bill to',
    registration: 'Reg. code',
    vatCode: 'VAT no.',
    credits: 'Credits invoice',
    text: 'Description',
    quantity: 'Quantity',
    price: 'Price',
    sum: 'Amount',
    net: 'Total without VAT',
    vat: 'VAT',
    vatRate: 'VAT %',
    total: 'Total to pay',
  },
  fi: {
    locale: 'fi',
    invoice: 'Lasku',
    creditNote: 'Hyvityslasku',
    number: 'Laskun numero',
    issued: 'Päivämäärä',
    due: 'Eräpäivä',
    reference: 'Viitenumero',
    buyer: 'Asiakas',
    registration: 'Y-tunnus',
    vatCode: 'ALV-tunnus',
    credits: 'Hyvittää laskun',
    text: 'Kuvaus',
    quantity: 'Määrä',
    price: 'Hinta',
    sum: 'Summa',
    net: 'Veroton summa',
    vat: 'ALV',
    vatRate: 'ALV %',
    total: 'Maksettava yhteensä',
  },
  de: {
    locale: 'de',
    invoice: 'Rechnung',
    creditNote: 'Gutschrift',
    number: 'Rechnungsnr.',
    issued: 'Datum',
    due: 'Zahlbar bis',
    reference: 'Verwendungszweck',
    buyer: 'Kunde',
    registration: 'Registernr.',
    vatCode: 'USt-IdNr.',
    credits: 'Zu Rechnung',
    text: 'Beschreibung',
    quantity: 'Menge',
    price: 'Preis',
    sum: 'Betrag',
    net: 'Summe netto',
    vat: 'USt.',
    vatRate: 'USt. %',
    total: 'Zu zahlen',
  },
};

const NO_BREAK_SPACES = /[\u00a0\u202f]/g;

/** Cents as an amount of a language, with plain spaces and hyphens, which every font here has. */
export const amount = (cents: number, locale = 'et'): string =>
  (cents / 100)
    .toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    .replace(NO_BREAK_SPACES, ' ')
    .replace('\u2212', '-');

/** A number as people of a locale write it. */
export const decimal = (value: number, locale: string): string =>
  value.toLocaleString(locale).replace('\u2212', '-');

/** `2026-11-05` as `05.11.2026`. */
export const day = (date: string): string => date.split('-').reverse().join('.');
