import { listPages, type Page, type PageQuery } from '../../../../shared/api/pagination';
import type { Schemas } from '../../../../shared/api/routes';
import { systemClock } from '../../../../shared/api/requests/wait';

type Document = Schemas['Document'];

/** A file with the hash of its bytes, in hexadecimal digits. */
export interface Hashed {
  sha256: string;
}

/** Lets other items work while one waits. */
type GiveWay = <T>(wait: () => Promise<T>) => Promise<T>;
/** Asks for a page of a company's documents. */
type AskDocuments = (
  query: PageQuery & { companyId: string; receivedFrom: string },
) => Promise<{ body: Page<Document> }>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The documents of a company that files are compared with: those that it has received, and those that the run files. */
export class FiledDocuments {
  /** By the number of days that were looked back. */
  private readonly received = new Map<number, Promise<Map<string, Document>>>();
  private readonly filed = new Map<string, Document>();
  /** The end of the work on each file. */
  private readonly ends = new Map<string, Promise<void>>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly companyId: string) {}

  /**
   * Works on an item's files when the work of earlier items on the same files has ended. Items with other files do not
   * wait for each other. Called at once, so that of items with the same file the first one files it.
   *
   * @param read reads the files, side by side with those of other items
   */
  async inTurn<F extends Hashed, T>(
    giveWay: GiveWay,
    read: () => Promise<F[]>,
    work: (files: F[]) => Promise<T>,
  ): Promise<T> {
    const reading = read();
    const begun = Promise.allSettled([reading, this.turn]).then(async () => ({
      result: this.begin(giveWay, await reading, work),
    }));
    this.turn = begun.catch(() => undefined);
    const { result } = await begun;
    return await result;
  }

  private begin<F extends Hashed, T>(
    giveWay: GiveWay,
    files: F[],
    work: (files: F[]) => Promise<T>,
  ): Promise<T> {
    const before = files.flatMap(({ sha256 }) => this.ends.get(sha256) ?? []);
    const result =
      before.length === 0
        ? work(files)
        : giveWay(async () => await Promise.all(before)).then(async () => await work(files));
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    for (const { sha256 } of files) this.ends.set(sha256, end);
    return result;
  }

  /**
   * What finds the document with the same file, among those that the company received in the last days and those that
   * this run has filed until then. The list is read once.
   *
   * @throws AgencyError when it cannot be read; the next item then asks anew
   */
  async finder(ask: AskDocuments, days: number): Promise<(file: Hashed) => Document | undefined> {
    const received = await this.listed(ask, days);
    return ({ sha256 }) => this.filed.get(sha256) ?? received.get(sha256);
  }

  keep({ sha256 }: Hashed, document: Document): void {
    this.filed.set(sha256, document);
  }

  private async listed(ask: AskDocuments, days: number): Promise<Map<string, Document>> {
    const known = this.received.get(days);
    if (known !== undefined) return await known;
    const list = this.list(ask, days);
    this.received.set(days, list);
    list.catch(() => this.received.delete(days));
    return await list;
  }

  private async list(ask: AskDocuments, days: number): Promise<Map<string, Document>> {
    const receivedFrom = new Date(systemClock.now() - days * DAY_MS).toISOString();
    const query = { companyId: this.companyId, receivedFrom };
    const bySha256 = new Map<string, Document>();
    const pages = listPages(async (page) => await ask({ ...query, ...page }));
    for await (const page of pages) {
      for (const document of page) {
        const sha256: unknown = document.file?.sha256;
        // Newest first, so that the one that came first stays.
        if (typeof sha256 === 'string') bySha256.set(inHex(sha256), document);
      }
    }
    return bySha256;
  }
}

/** The specification does not show how a hash is written: in hexadecimal digits, or in Base64. */
const inHex = (sha256: string): string =>
  sha256.length === 44 ? Buffer.from(sha256, 'base64').toString('hex') : sha256.toLowerCase();
