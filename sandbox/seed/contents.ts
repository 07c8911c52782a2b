/** What a seed document says; enough to write it in several formats. */
export interface Paper {
  title: string;
  supplier: string;
  buyer: string;
  number: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** Euro cents without and with VAT. */
  net: number;
  gross: number;
}

/** A kind of file of the seed. */
export type Format = 'pdf' | 'xml' | 'csv' | 'txt';

/** The type of each kind of file. */
export const MIME_TYPES: Record<Format, string> = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  csv: 'text/csv',
  txt: 'text/plain',
};

const euros = (cents: number) => (cents / 100).toFixed(2);

/** The file of a paper as text, valid in its format. */
export const contentOf: Record<Format, (paper: Paper) => string> = {
  pdf: (paper) =>
    pdf([
      paper.title,
      paper.supplier,
      `-> ${paper.buyer}`,
      paper.date,
      `${euros(paper.net)} + VAT = ${euros(paper.gross)} EUR`,
    ]),
  xml: ({ supplier, buyer, number, date, net, gross }) =>
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<E_Invoice>',
      `  <Header><Date>${date}</Date><FileId>${escapeXml(number)}</FileId><Version>1.2</Version></Header>`,
      '  <Invoice>',
      '    <InvoiceParties>',
      `      <SellerParty><Name>${escapeXml(supplier)}</Name></SellerParty>`,
      `      <BuyerParty><Name>${escapeXml(buyer)}</Name></BuyerParty>`,
      '    </InvoiceParties>',
      `    <InvoiceInformation><InvoiceNumber>${escapeXml(number)}</InvoiceNumber></InvoiceInformation>`,
      `    <InvoiceSumGroup><InvoiceSum>${euros(net)}</InvoiceSum><TotalSum>${euros(gross)}</TotalSum></InvoiceSumGroup>`,
      '  </Invoice>',
      '</E_Invoice>',
      '',
    ].join('\n'),
  csv: ({ supplier, buyer, number, date, gross }) =>
    [
      'date,from,to,reference,amount',
      [date, csv(supplier), csv(buyer), number, euros(gross)].join(','),
      '',
    ].join('\r\n'),
  txt: ({ title, supplier, buyer, date }) => `${date}\n${supplier} -> ${buyer}\n\n${title}\n`,
};

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

const csv = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A text in a PDF's parentheses: Latin letters beyond ASCII as octal codes, others without their marks. */
const escapePdf = (text: string) =>
  text
    .replace(/[\u0100-\u024f]/g, (letter) => letter.normalize('NFD').charAt(0))
    .replace(/[\\()]/g, '\\$&')
    .replace(/[\u00a0-\u00ff]/g, (letter) => `\\${letter.charCodeAt(0).toString(8)}`)
    .replace(/[^\x20-\x7e]/g, "'");

/** A one-page PDF in nothing but ASCII, so that its length in characters is its length in bytes. */
function pdf(lines: string[]): string {
  const drawn = lines
    .map((line, index) => `${index === 0 ? '' : '0 -18 Td '}(${escapePdf(line)}) Tj`)
    .join('\n');
  const stream = `BT /F1 12 Tf 60 760 Td\n${drawn}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n';
  let table = '0000000000 65535 f \n';
  objects.forEach((object, index) => {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const size = objects.length + 1;
  return `${body}xref\n0 ${size}\n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}
