import { createHash } from 'node:crypto';
import type { INodeProperties } from 'n8n-workflow';
import { AgencyError } from '../../../../shared/api/errors/agency-error';
import type { Schemas } from '../../../../shared/api/routes';
import { type Choices, oneOf, wholeNumber } from '../../../../shared/values/text';
import type { Item } from '../../../engine/item';
import type { ItemFile } from '../../../files/input-files';
import { FiledDocuments, type Hashed } from './filed-documents';
import { Uploads } from './filing';

const LABEL = 'If File Already Exists';
const LOOK_BACK = 'Look Back (Days)';
const MOST_DAYS = 3650;

const WISHES: Choices<'fail' | 'skip' | 'upload'> = [
  { name: 'Upload Again', value: 'upload' },
  { name: 'Skip', value: 'skip', description: 'Output the existing document, with "skipped": true' },
  { name: 'Fail', value: 'fail', description: 'Fail the item without uploading any of its files' },
];

/** What to do with a file that the company has already. */
export const ifAlreadyThere: INodeProperties[] = [
  {
    displayName: LABEL,
    name: 'ifAlreadyThere',
    type: 'options',
    options: WISHES,
    default: 'upload',
    description:
      "Skip and Fail compare the content of each file with the company's documents. They need the scope documents:read.",
  },
  {
    displayName: LOOK_BACK,
    name: 'lookBackDays',
    type: 'number',
    displayOptions: { show: { ifAlreadyThere: ['skip', 'fail'] } },
    typeOptions: { minValue: 1, maxValue: MOST_DAYS, numberPrecision: 0 },
    default: 90,
    description: 'How far back to look, counted from when a document was received',
  },
];

/** A file that is compared with the company's documents, unless the item does not ask for it. */
export interface ComparedFile extends ItemFile {
  /** The document that holds the same bytes, as far as it is known by now. */
  there: () => Schemas['Document'] | undefined;
  /** Keeps what has become of the file, for those of the same bytes. */
  keep: (document: Schemas['Document']) => void;
}

/**
 * Does the work on an item's files, after they were compared with the documents of its company.
 *
 * @param read reads the files and checks what can be checked before anything is asked
 * @throws InputError when the item's wish cannot be used
 * @throws AgencyError when the item is to fail for a file that is there, or the documents cannot be listed
 */
export async function compared<T>(
  item: Item,
  companyId: string,
  read: () => Promise<ItemFile[]>,
  work: (files: ComparedFile[]) => Promise<T>,
): Promise<T> {
  const wish = oneOf(WISHES)(LABEL, item.value('ifAlreadyThere'));
  if (wish === 'upload') {
    const files = await read();
    return await work(files.map((file) => ({ ...file, there: () => undefined, keep: () => undefined })));
  }
  const days = wholeNumber(LOOK_BACK, item.value('lookBackDays'), 1, MOST_DAYS);
  const { filedDocuments } = item.shared;
  const filed = filedDocuments.get(companyId) ?? new FiledDocuments(companyId);
  filedDocuments.set(companyId, filed);
  return await filed.inTurn(
    async (wait) => await item.giveWay(wait),
    async () => await hashed(await read()),
    async (files) => {
      if (files.length === 0) return await work([]);
      const find = await filed.finder(async (query) => await item.request('GET /documents', { query }), days);
      const checked = files.map((file) => {
        // An earlier try of this item has begun with it: what is there may be its own.
        const isBegun = new Uploads(item, file.field).get() !== undefined;
        const there = () => (isBegun ? undefined : find(file));
        return { ...file, there, keep: filed.keep.bind(filed, file) };
      });
      if (wish === 'fail') refuseKnown(checked);
      return await work(checked);
    },
  );
}

/** One after the other, so that no more than one file of an item is in memory. */
async function hashed(files: ItemFile[]): Promise<Array<ItemFile & Hashed>> {
  const made: Array<ItemFile & Hashed> = [];
  for (const file of files) made.push({ ...file, sha256: await sha256Of(file) });
  return made;
}

async function sha256Of({ open }: ItemFile): Promise<string> {
  const hash = createHash('sha256');
  const bytes = await open();
  if (Buffer.isBuffer(bytes)) hash.update(bytes);
  else for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** @throws AgencyError for the first file that is a document already, or comes twice */
function refuseKnown(files: Array<ComparedFile & Hashed>): void {
  for (const [index, { field, name, sha256, there }] of files.entries()) {
    const document = there();
    const twin = files.slice(0, index).find((file) => file.sha256 === sha256);
    const same = document
      ? `document "${document.name}" (${document.id})`
      : twin && `file "${twin.name}" of this item`;
    if (same === undefined) continue;
    throw new AgencyError(
      `The file "${name}" in the field "${field}" already exists: it is the same as the ${same}.`,
      `No file of this item was uploaded. To upload it anyway, or to skip it, change ${LABEL}.`,
      { details: { field, fileName: name, documentId: document?.id } },
    );
  }
}
