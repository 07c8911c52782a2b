import { dots, GLYPH } from './glyphs';

/** Grey pixels, 0 is black and 255 white, row after row. */
export interface Canvas {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** An empty picture of so many pixels. */
export const newCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(255),
});

/** Fills a rectangle of pixels. */
export function fillRect(
  { width, height, pixels }: Canvas,
  x: number,
  y: number,
  w: number,
  h: number,
  grey: number,
) {
  for (let row = Math.max(0, y); row < Math.min(height, y + h); row += 1) {
    pixels.fill(grey, row * width + Math.max(0, x), row * width + Math.min(width, x + w));
  }
}

/** How wide a text is, in pixels. */
export const textWidth = (text: string, scale: number): number =>
  ([...text.normalize('NFC')].length * GLYPH.advance - 1) * scale;

/** Writes a line of text whose top left is at x, y; each dot is a square of `scale` pixels. */
export function drawText(canvas: Canvas, text: string, x: number, y: number, scale: number, grey = 30) {
  for (const dot of dots(text)) fillRect(canvas, x + dot.x * scale, y + dot.y * scale, scale, scale, grey);
}

/**
 * Pseudo-random numbers from 0 to 1, always the same for a seed (a linear congruential generator,
 * constants of Numerical Recipes): good enough for paper grain.
 */
function grain(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes a drawing look scanned: every pixel a little off, by at most `strength` grey levels. */
export function addGrain({ pixels }: Canvas, seed: number, strength: number) {
  const next = grain(seed);
  for (const [index, grey] of pixels.entries())
    pixels[index] = Math.max(0, grey - Math.floor(next() * strength));
}
