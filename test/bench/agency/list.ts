/** The largest page that the API gives (spec: Limits). */
export const PAGE = 200;

/** A list of records that are made from their numbers; its full pages are made once. */
export class ListOf<T extends object> {
  private readonly pages = new Map<number, Buffer>();

  constructor(
    readonly length: number,
    private readonly make: (number: number) => T,
  ) {}

  /** The bytes of a page; its cursor is the number of its first record. */
  page(from: number, limit: number): Buffer {
    const known = limit === PAGE ? this.pages.get(from) : undefined;
    if (known !== undefined) return known;
    const length = Math.min(limit, this.length - from);
    const data = Array.from({ length }, (_, row) => this.make(from + row));
    const next = from + length;
    const bytes = Buffer.from(JSON.stringify({ data, nextCursor: next < this.length ? String(next) : null }));
    if (limit === PAGE) this.pages.set(from, bytes);
    return bytes;
  }
}
