import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { type FileBody, UNKNOWN_TYPE } from '../../shared/api/routes';
import { InputError } from '../../shared/input-error';
import { given } from '../../shared/values/describe-value';
import { isRecord } from '../../shared/values/json';
import { optionalText, parseStringList } from '../../shared/values/text';
import { FILES_IN_JSON } from '../engine/idempotency';
import type { Item } from '../engine/item';
import { FILE_NAME, fileName, givenName, mediaType, tidyName } from './name-and-type';

/** Spec: Limits, file size. */
const LARGEST_FILE_MB = 48;

const MB = 1024 * 1024;

/** From this size on a file is streamed from n8n's binary store; below it, one buffer is quicker (measured). */
const STREAMED_FROM = MB;

const FIELD = 'Input Binary Field';

/** Which of an item's files are sent; if nothing is entered, the only one. */
export const inputBinaryField: INodeProperties = {
  displayName: FIELD,
  name: 'binaryPropertyName',
  type: 'string',
  default: '',
  placeholder: 'e.g. data, attachment_0',
  hint: 'Leave empty if the item has one file. For several, enter the names of their fields, separated by commas, or * for all.',
};

const HOW_TO_GET_FILES =
  'Check that the previous node outputs a file. In an email node, turn on the option that downloads attachments.';

/** How n8n calls its stores: that stands in place of the bytes of a file that is in one. */
const STORES: unknown[] = ['azure', 'database', 'filesystem', 'filesystem-v2', 's3'];

/** What no Base64 has, in either alphabet. */
const NOT_BASE64 = /[^\w+/=\s-]/;

/** A file of an item, ready to be sent. */
export interface ItemFile extends FileBody {
  /** The binary field that it is in. */
  field: string;
  name: string;
}

/**
 * The files of an item that are to be sent, checked before anything is sent.
 *
 * @param isWanted of each file by its own name, type and length; what is not wanted counts as no file of the item
 * @throws InputError for a field without a file, a file that is too large, or one without a usable name
 */
export async function itemFiles(
  item: Item,
  isWanted: (file: Omit<StoredFile, 'binary'>) => boolean = () => true,
): Promise<ItemFile[]> {
  const name = givenName(item);
  const there = inputFiles(item);
  const fields = fieldNames(item, there);
  const alone = fields.length === 1;
  const stored = await Promise.all(
    fields.map(async (field) => await storedFile(item, field, inputFile(item, field, there), alone)),
  );
  const wanted = stored.filter(isWanted);
  if (wanted.length > 1 && name !== undefined) {
    throw new InputError(
      FILE_NAME,
      'is set for several files.',
      'Leave it empty, or send one file per item.',
    );
  }
  return wanted.map(({ binary, ...file }) => {
    const whole =
      name === undefined ? fileName(file.name, binary, nameOf(file.field)) : fileName(name, binary);
    return { ...file, name: whole, mimeType: mediaType(binary.mimeType, whole) };
  });
}

const nameOf = (field: string): string => `File name of "${field}"`;

function fieldNames(item: Item, there: Map<string, InputFile>): string[] {
  const value = item.value('binaryPropertyName');
  if (isRecord(value)) {
    throw new InputError(
      FIELD,
      `must be the name of a field, not the file itself: it is ${given(value)}.`,
      'Enter the name without an expression, e.g. data.',
    );
  }
  const named = parseStringList(FIELD, value);
  if (named.length > 0 && !named.includes('*')) return [...new Set(named)];
  const all = [...there.keys()];
  const entered = named.length === 0 ? 'is empty' : 'is "*" for all files';
  if (all.length === 0)
    throw new InputError(FIELD, `${entered}, but the item has no files.`, HOW_TO_GET_FILES);
  if (named.length === 0 && all.length > 1) {
    throw new InputError(
      FIELD,
      `${entered}, but the item has ${all.length} files: ${all.join(', ')}.`,
      'Enter one name, several names separated by commas, or * for all files.',
    );
  }
  return all;
}

/** A file of an item, with what n8n's binary helpers find it by: the name of its field, or the file itself. */
interface InputFile {
  binary: IBinaryData;
  at: string | IBinaryData;
}

/**
 * Whether n8n keeps the files of a workflow's items in their JSON. In every other workflow, JSON that looks like a file
 * is data of somebody else, and could name any file of n8n's store.
 */
function filesAreInJson({ node }: Item): boolean {
  // An older n8n has neither the setting nor the function.
  return 'getWorkflowSettings' in node && node.getWorkflowSettings().binaryMode === 'combined';
}

/** All files of an item by the names of their fields, wherever n8n keeps them. */
function inputFiles(item: Item): Map<string, InputFile> {
  const { json, binary } = item.input;
  const areInJson = filesAreInJson(item);
  const inJson = areInJson && isRecord(json) ? json[FILES_IN_JSON] : undefined;
  const combined = Object.entries(isRecord(inJson) ? inJson : {}).flatMap(([name, file]) =>
    isFile(file) ? [[name, { binary: file, at: file }] as const] : [],
  );
  const separate = Object.entries(binary ?? {}).flatMap(([name, file]) => {
    // Also one without bytes, which is refused later instead of being left out of "all files".
    if (!isRecord(file)) return [];
    // A file that a Code node made may lack a type.
    const whole = typeof file.mimeType === 'string' ? file : { ...file, mimeType: UNKNOWN_TYPE };
    // Without a store n8n leaves the files there in such a workflow too, but looks for a name in the JSON alone.
    return [[name, { binary: whole, at: areInJson ? whole : name }] as const];
  });
  return new Map<string, InputFile>([...combined, ...separate]);
}

/** @throws InputError that names the fields that hold files */
function inputFile(item: Item, field: string, files: Map<string, InputFile>): InputFile {
  const file = files.get(field) ?? (filesAreInJson(item) ? fileAtPath(item, field) : undefined);
  if (file !== undefined) return file;
  if (files.size === 0) {
    throw new InputError(FIELD, `is "${field}", but the item has no files.`, HOW_TO_GET_FILES);
  }
  throw new InputError(
    FIELD,
    `is "${field}", but the item has no binary field of that name.`,
    `Binary fields of this item: ${[...files.keys()].join(', ')}. Enter one of them, or * for all.`,
  );
}

/** The file that a path with dots leads to in an item's JSON, e.g. `_files.data`. */
function fileAtPath({ input }: Item, path: string): InputFile | undefined {
  const file = path.split('.').reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), input.json);
  return isFile(file) ? { binary: file, at: file } : undefined;
}

/** n8n's own rule for a file in JSON. */
function isFile(value: unknown): value is IBinaryData {
  return isRecord(value) && typeof value.mimeType === 'string' && ('data' in value || 'id' in value);
}

/** A file as n8n has it: with the name that the node before gave it, if it has one. */
interface StoredFile extends FileBody {
  field: string;
  name?: string;
  binary: IBinaryData;
}

async function storedFile(item: Item, field: string, file: InputFile, alone: boolean): Promise<StoredFile> {
  const { binary } = file;
  checkContent(`${FIELD} "${field}"`, binary);
  const { length, open } = await bytesOf(item, field, file, alone);
  if (length > LARGEST_FILE_MB * MB) {
    throw new InputError(
      `${FIELD} "${field}"`,
      `has a file of ${Math.ceil((10 * length) / MB) / 10} MB. The agency accepts up to ${LARGEST_FILE_MB} MB.`,
      'Make the file smaller: split it, or scan at a lower resolution.',
    );
  }
  const name = tidyName(optionalText(nameOf(field), binary.fileName, Number.POSITIVE_INFINITY));
  return { field, name, binary, mimeType: mediaType(binary.mimeType, name ?? ''), length, open };
}

/**
 * How long a file is, and how to open it.
 *
 * @param alone that the item has no other file to send, so that a small one may be held in memory
 */
async function bytesOf(
  { node: { helpers }, index }: Item,
  field: string,
  { binary: { id, bytes }, at }: InputFile,
  alone: boolean,
): Promise<Pick<FileBody, 'length' | 'open'>> {
  const buffer = async () => await helpers.getBinaryDataBuffer(index, at);
  // n8n 2.x says how long a file is: a small one is read at once, instead of asking n8n's store for it first.
  if (alone && bytes !== undefined && bytes < STREAMED_FROM) {
    const read = await buffer().catch((thrown: unknown) => {
      throw unreadable(thrown, field);
    });
    return { length: read.length, open: async () => read };
  }
  // An empty ID is none to n8n either.
  if (!id) return { length: (await buffer()).length, open: buffer };
  const { fileSize } = await helpers.getBinaryMetadata(id).catch((thrown: unknown) => {
    throw unreadable(thrown, field);
  });
  const stream = async () => await helpers.getBinaryStream(id);
  return { length: fileSize, open: fileSize >= STREAMED_FROM ? stream : buffer };
}

/**
 * Refuses a file of which n8n would read other bytes than a node before has meant, or none at all. It takes anything
 * for Base64, and what is not is left out of the file without a word.
 *
 * @param label the field with its file, for the message
 * @throws InputError
 */
function checkContent(label: string, { id, data }: { id?: unknown; data?: unknown }): void {
  if (id ? typeof id === 'string' : isContent(data)) return;
  const isLost = !id && STORES.includes(data);
  throw new InputError(
    label,
    isLost
      ? 'refers to a file stored by n8n, but without its ID.'
      : 'has a file whose content cannot be read.',
    isLost
      ? 'Make sure that the previous nodes pass on the whole file, including its "id".'
      : 'A file that a previous node creates must have its content in "data", as Base64 only. "Convert to File" creates one from Base64 text.',
  );
}

function isContent(data: unknown): boolean {
  if (typeof data === 'string') return !STORES.includes(data) && !NOT_BASE64.test(data);
  return Buffer.isBuffer(data) || (isRecord(data) && data.type === 'Buffer' && Array.isArray(data.data));
}

/** The error of a file that n8n's store says it does not have: on disk, in a database or in a bucket. Other faults pass. */
function unreadable(thrown: unknown, field: string): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const isGone =
    ('code' in thrown && thrown.code === 'ENOENT') ||
    /not found|no such|no binary data manager/i.test(thrown.message);
  if (!isGone) return thrown;
  return new InputError(
    `${FIELD} "${field}"`,
    'refers to a file that n8n no longer has.',
    'n8n deletes the files of old executions. Run the workflow from its start.',
  );
}
