import { concatTransformationMatrix, drawObject, popGraphicsState, pushGraphicsState } from 'pdf-lib';
import { addGrain, type Canvas, drawText, fillRect, newCanvas } from '../png/canvas';
import { newPdf } from './sheet';

/** A4 at 150 dots an inch. */
const PAGE = { width: 1240, height: 1754 };
const GRAIN = 26;

/** A scanned page. */
export interface Scan {
  title: string;
  author: string;
  /** `YYYY-MM-DD` */
  date: string;
  /** The lines of each page; one that starts with `# ` is a heading. */
  pages: string[][];
}

function scannedPage(lines: string[], number: number): Canvas {
  const canvas = newCanvas(PAGE.width, PAGE.height);
  lines.forEach((line, index) => {
    const heading = line.startsWith('# ');
    drawText(canvas, heading ? line.slice(2) : line, 110 + number * 3, 130 + index * 44, heading ? 4 : 3, 48);
  });
  fillRect(canvas, 0, 0, 14 + number * 2, PAGE.height, 190);
  addGrain(canvas, number, GRAIN);
  return canvas;
}

/** A PDF as a scanner makes it: every page one grey picture, grain included. Some megabytes. */
export async function scanPdf({ title, author, date, pages }: Scan): Promise<Uint8Array> {
  const pdf = await newPdf(title, author, date);
  pages.forEach((lines, index) => {
    const { width, height, pixels } = scannedPage(lines, index + 1);
    const picture = pdf.context.flateStream(pixels, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
    });
    const page = pdf.addPage([595.28, 841.89]);
    const name = page.node.newXObject('Scan', pdf.context.register(picture));
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(page.getWidth(), 0, 0, page.getHeight(), 0, 0),
      drawObject(name),
      popGraphicsState(),
    );
  });
  return await pdf.save();
}
