import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The floor of every measurement: a bare `fetch` loop that obeys `Retry-After`, and does nothing else. */
export class Floor {
  /** Answers 429 that came. */
  limited = 0;
  private resumeAt = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Reads a list to its end, page by page, and makes the items of its rows. */
  async list(): Promise<INodeExecutionData[]> {
    const items: INodeExecutionData[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { data: IDataObject[]; nextCursor: string | null } = await this.ask(
        `/documents?limit=200${next}`,
        {},
      );
      for (const json of page.data) items.push({ json, pairedItem: { item: 0 } });
      cursor = page.nextCursor;
    }
    return items;
  }

  /** Reads documents by their IDs, `width` at a time. */
  async documents(ids: string[], width: number): Promise<unknown[]> {
    return await inLanes(ids, width, async (id) => await this.ask(`/documents/${id}`, {}));
  }

  /**
   * Reads the company, as ours does lest a file is left over, then uploads files and files each as a document, `width`
   * at a time; the documents in the order of the files.
   */
  async upload(files: UploadFile[], width: number, companyId: string): Promise<unknown[]> {
    await this.ask(`/companies/${companyId}`, {});
    return await inLanes(files, width, async (file) => await this.uploadOne(file, companyId));
  }

  private async uploadOne({ name, bytes }: UploadFile, companyId: string): Promise<unknown> {
    const { id } = await this.ask<{ id: string }>(`/files?filename=${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: new Uint8Array(bytes),
    });
    return await this.ask('/documents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fileId: id, companyId, filename: name }),
    });
  }

  private async ask<T>(path: string, call: RequestInit): Promise<T> {
    const headers = { ...call.headers, authorization: `Bearer ${this.token}` };
    for (;;) {
      while (Date.now() < this.resumeAt) await wait(this.resumeAt - Date.now());
      const answer = await fetch(`${this.url}/api/v1${path}`, { ...call, headers });
      if (answer.ok) return Object(await answer.json());
      if (answer.status !== 429) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
      this.limited += 1;
      this.resumeAt = Math.max(this.resumeAt, Date.now() + 1000 * Number(answer.headers.get('retry-after')));
    }
  }
}

/** Does work on each of several, `width` at a time; the results in their order. */
export async function inLanes<T, Made>(
  all: T[],
  width: number,
  work: (one: T) => Promise<Made>,
): Promise<Made[]> {
  const results: Made[] = [];
  const left = all.entries();
  const lane = async () => {
    for (const [index, one] of left) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

/** A file to upload. */
export interface UploadFile {
  name: string;
  bytes: Buffer;
}

/** So many files of so many bytes, each with other content. */
export function uploadFiles(count: number, length: number): UploadFile[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(length, `document ${index} `);
    bytes.write('%PDF-1.7\n');
    return { name: `invoice-${index}.pdf`, bytes };
  });
}
