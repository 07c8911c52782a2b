import { type Color, PDFDocument, type PDFFont, type PDFPage, PageSizes, rgb, StandardFonts } from 'pdf-lib';

/** The colours of a sheet. */
const INK = rgb(0.13, 0.14, 0.16);
export const GREY = rgb(0.42, 0.44, 0.48);
const HAIRLINE = rgb(0.82, 0.83, 0.85);

interface Look {
  size?: number;
  bold?: boolean;
  color?: Color;
}

/** A page on which text is placed from the top left, in points. */
export interface Sheet {
  page: PDFPage;
  width: number;
  left(text: string, x: number, y: number, look?: Look): void;
  /** The text ends at x. */
  right(text: string, x: number, y: number, look?: Look): void;
  line(y: number, color?: Color): void;
  block(y: number, height: number, color: Color): void;
}

/** The margin of a sheet, in points. */
export const MARGIN = 50;

/** A document whose bytes depend on nothing but its content: its dates are those of the document. */
export async function newPdf(title: string, author: string, date: string): Promise<PDFDocument> {
  const pdf = await PDFDocument.create();
  const when = new Date(`${date}T09:00:00Z`);
  pdf.setTitle(title);
  pdf.setAuthor(author);
  pdf.setProducer('Example documents');
  pdf.setCreator('Example documents');
  pdf.setCreationDate(when);
  pdf.setModificationDate(when);
  return pdf;
}

/** Fonts that every reader has, with the letters of Western Europe, š and ž. */
export async function fontsOf(pdf: PDFDocument) {
  return {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
}

// The standard fonts know no letters with a macron or cedilla; typists leave those marks out.
const typeable = (text: string): string =>
  text.replace(/[ĀāĒēĪīŪūĢģĶķĻļŅņ]/g, (letter) => letter.normalize('NFD').charAt(0));

/** An empty page of A4 at the end of a PDF. */
export function newSheet(pdf: PDFDocument, fonts: { plain: PDFFont; bold: PDFFont }): Sheet {
  const page = pdf.addPage(PageSizes.A4);
  const { width, height } = page.getSize();
  const put = (raw: string, x: number, y: number, { size = 10, bold, color = INK }: Look, end: boolean) => {
    const font = bold ? fonts.bold : fonts.plain;
    const text = typeable(raw);
    page.drawText(text, {
      x: end ? x - font.widthOfTextAtSize(text, size) : x,
      y: height - y,
      size,
      font,
      color,
    });
  };
  return {
    page,
    width,
    left: (text, x, y, look = {}) => put(text, x, y, look, false),
    right: (text, x, y, look = {}) => put(text, x, y, look, true),
    line: (y, color = HAIRLINE) =>
      page.drawLine({
        start: { x: MARGIN, y: height - y },
        end: { x: width - MARGIN, y: height - y },
        thickness: 0.7,
        color,
      }),
    block: (y, blockHeight, color) =>
      page.drawRectangle({ x: 0, y: height - y - blockHeight, width, height: blockHeight, color }),
  };
}
