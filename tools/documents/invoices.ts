import { parties, type Party } from './parties';

/** The language that an invoice is written in. */
export type Language = 'et' | 'en' | 'fi' | 'de';

/** A line of an invoice. */
export interface Line {
  text: string;
  quantity: number;
  unit: string;
  /** Euro cents of one unit, without VAT. */
  price: number;
  /** VAT in per cent. */
  vat: number;
}

/** An invoice. */
export interface Invoice {
  number: string;
  /** Calendar dates `YYYY-MM-DD`. */
  issued: string;
  due: string;
  language: Language;
  seller: Party;
  buyer: Party;
  reference: string;
  lines: Line[];
  note: string;
  /** A credit note takes back an earlier invoice. */
  credits?: string;
}

/** The amount of a line without VAT, in cents. */
export const net = (line: Line): number => Math.round(line.quantity * line.price);

/** The sums of an invoice in euro cents; VAT by rate, the highest first. */
export function totals({ lines }: Pick<Invoice, 'lines'>) {
  const rates = [...new Set(lines.map((line) => line.vat))].sort((a, b) => b - a);
  const vat = rates.map((rate) => {
    const base = lines.filter((line) => line.vat === rate).reduce((sum, line) => sum + net(line), 0);
    return { rate, base, amount: Math.round((base * rate) / 100) };
  });
  const base = vat.reduce((sum, row) => sum + row.base, 0);
  const tax = vat.reduce((sum, row) => sum + row.amount, 0);
  return { base, vat, tax, gross: base + tax };
}

const { bakery, carpenter, cleaner, freight, machines, hosting } = parties;

const line = (text: string, quantity: number, unit: string, price: number, vat: number): Line => ({
  text,
  quantity,
  unit,
  price,
  vat,
});

/** The invoices that the documents are made from. */
export const invoices = {
  bread: {
    number: '2026-0914',
    issued: '2026-10-30',
    due: '2026-11-13',
    language: 'et',
    seller: bakery,
    buyer: carpenter,
    reference: '20260914',
    note: 'Aitäh, et ostate kohalikku leiba!',
    lines: [
      line('Rukkileib "Vanaema", 900 g', 48, 'tk', 285, 24),
      line('Kaneelirullid, karbis 12 tk', 6, 'karp', 1490, 24),
      line('Õunakook šokolaadiga', 2, 'tk', 2450, 24),
      line('Kohaletoimetamine', 1, 'tk', 790, 24),
    ],
  },
  furniture: {
    number: 'M-1188',
    issued: '2026-11-02',
    due: '2026-11-16',
    language: 'et',
    seller: carpenter,
    buyer: bakery,
    reference: '11880',
    note: 'Tooted jäävad müüja omandiks kuni arve tasumiseni.',
    lines: [
      line('Tammest müügilett, 2400 × 700 mm', 1, 'tk', 148000, 24),
      line('Riiul leivale, kask', 4, 'tk', 18650, 24),
      line('Paigaldus kohapeal', 6.5, 'h', 4200, 24),
    ],
  },
  credit: {
    number: 'M-1191K',
    issued: '2026-11-05',
    due: '2026-11-05',
    language: 'et',
    seller: carpenter,
    buyer: bakery,
    reference: '11880',
    credits: 'M-1188',
    note: 'Üks riiul tagastati kahjustatuna.',
    lines: [line('Riiul leivale, kask (tagastus)', -1, 'tk', 18650, 24)],
  },
  freight: {
    number: '50233',
    issued: '2026-11-03',
    due: '2026-11-17',
    language: 'fi',
    seller: freight,
    buyer: machines,
    reference: '50 23310',
    note: 'Viivästyskorko 8 %. Kiitos, että käytät palvelujamme.',
    lines: [
      line('Rahti Lappeenranta–Rostock, 14 lavaa', 1, 'kpl', 214000, 0),
      line('Lastaus ja sidonta', 3, 'h', 6400, 25.5),
      line('Säilytys satamassa', 2, 'pv', 4850, 25.5),
    ],
  },
  hosting: {
    number: 'INV-20417',
    issued: '2026-11-01',
    due: '2026-11-21',
    language: 'en',
    seller: hosting,
    buyer: bakery,
    reference: 'INV20417',
    note: 'Reverse charge: the buyer accounts for the VAT.',
    lines: [
      line('Managed server, 8 cores, October 2026', 1, 'month', 11900, 0),
      line('Backup storage', 350, 'GB', 4, 0),
      line('Support outside office hours', 1.5, 'h', 8000, 0),
    ],
  },
  machine: {
    number: 'R-2026-0377',
    issued: '2026-11-04',
    due: '2026-12-04',
    language: 'de',
    seller: machines,
    buyer: carpenter,
    reference: 'R20260377',
    note: 'Innergemeinschaftliche Lieferung, steuerfrei.',
    lines: [
      line('Kantenschleifmaschine KS 200', 1, 'Stk', 389000, 0),
      line('Schleifbänder, Körnung 120', 25, 'Stk', 640, 0),
      line('Fracht und Verpackung', 1, 'Stk', 18500, 0),
    ],
  },
  cleaning: {
    number: '7731',
    issued: '2026-11-06',
    due: '2026-11-20',
    language: 'et',
    seller: cleaner,
    buyer: bakery,
    reference: '77312',
    note: 'Müüja ei ole käibemaksukohustuslane.',
    lines: [line('Koristus, oktoober', 22, 'kord', 3500, 0), line('Akende pesu', 18, 'tk', 450, 0)],
  },
} satisfies Record<string, Invoice>;
