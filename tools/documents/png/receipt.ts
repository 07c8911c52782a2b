import { PNG } from 'pngjs';
import { amount } from '../words';
import { addGrain, type Canvas, drawText, fillRect, newCanvas, textWidth } from './canvas';
import { GLYPH } from './glyphs';

/** What stands on a receipt. */
export interface Receipt {
  shop: string;
  address: string;
  registrationCode: string;
  number: string;
  /** As printed. */
  time: string;
  /** Goods and their price with VAT in euro cents. */
  goods: Array<[string, number]>;
  /** VAT in per cent, included in the prices. */
  vat: number;
  paid: string;
  greeting: string;
}

const SCALE = 2;
const WIDTH = 560;
const PADDING = 40;
const STEP = GLYPH.lineHeight * SCALE + 6;

type Row = { left: string; right?: string; scale?: number; centre?: boolean } | 'rule' | 'space';

function rowsOf(receipt: Receipt): Row[] {
  const total = receipt.goods.reduce((sum, [, price]) => sum + price, 0);
  const tax = Math.round((total * receipt.vat) / (100 + receipt.vat));
  return [
    { left: receipt.shop, scale: 3, centre: true },
    'space',
    { left: receipt.address, centre: true },
    { left: `REG. ${receipt.registrationCode}`, centre: true },
    'rule',
    { left: `NR ${receipt.number}`, right: receipt.time },
    'rule',
    ...receipt.goods.map(([left, price]): Row => ({ left, right: amount(price) })),
    'rule',
    { left: 'KOKKU EUR', right: amount(total), scale: 3 },
    'space',
    { left: `KM ${receipt.vat}%`, right: amount(tax) },
    { left: 'SUMMA KM-TA', right: amount(total - tax) },
    { left: receipt.paid, right: amount(total) },
    'rule',
    { left: receipt.greeting, centre: true },
    'space',
  ];
}

function drawRow(canvas: Canvas, row: Row, y: number): number {
  if (row === 'space') return y + STEP / 2;
  if (row === 'rule') {
    for (let x = PADDING; x < WIDTH - PADDING; x += 10) fillRect(canvas, x, y + STEP / 2 - 4, 6, 2, 90);
    return y + STEP;
  }
  const scale = row.scale ?? SCALE;
  const x = row.centre ? Math.round((WIDTH - textWidth(row.left, scale)) / 2) : PADDING;
  drawText(canvas, row.left, x, y, scale);
  if (row.right !== undefined)
    drawText(canvas, row.right, WIDTH - PADDING - textWidth(row.right, scale), y, scale);
  return y + (STEP * scale) / SCALE;
}

/** A till receipt as a grey PNG picture with a little paper grain. */
export function receiptPng(receipt: Receipt): Buffer {
  const rows = rowsOf(receipt);
  const canvas = newCanvas(WIDTH, PADDING * 2 + (rows.length + 2) * STEP);
  rows.reduce((y, row) => drawRow(canvas, row, y), PADDING);
  addGrain(canvas, rows.length, 8);
  const png = new PNG({ width: canvas.width, height: canvas.height });
  png.data = Buffer.from(canvas.pixels);
  return PNG.sync.write(png, { colorType: 0, inputColorType: 0, inputHasAlpha: false });
}
