import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { UNKNOWN_TYPE } from '../../shared/api/routes';
import { InputError } from '../../shared/input-error';
import { isRecord } from '../../shared/values/json';

/** Where n8n puts an item's files in its JSON when the workflow's setting for binary data is "combined" (n8n 2.x). */
const FILES_IN_JSON = '_files';

const UNTYPED = { mimeType: UNKNOWN_TYPE };

/** How n8n calls its stores: that stands in place of the bytes of a file that is in one. */
const STORES: unknown[] = ['azure', 'database', 'filesystem', 'filesystem-v2', 's3'];

/** What no Base64 has, in either alphabet. */
const NOT_BASE64 = /[^\w+/=\s-]/;

/** A file of an item, with what n8n's binary helpers find it by: the name of its field, or the file itself. */
export interface InputFile {
  binary: IBinaryData;
  at: string | IBinaryData;
}

/**
 * Whether n8n keeps the files of a workflow's items in their JSON. In every other workflow, JSON that looks like a file
 * is data of somebody else, and could name any file of n8n's store.
 */
export function filesAreInJson(node: Pick<IExecuteFunctions, 'getWorkflowSettings'>): boolean {
  // An older n8n has neither the setting nor the function.
  return 'getWorkflowSettings' in node && node.getWorkflowSettings().binaryMode === 'combined';
}

/**
 * All files of an item by the names of their fields, wherever n8n keeps them.
 *
 * @param areInJson whether the workflow keeps files in JSON, see `filesAreInJson`
 */
export function inputFiles({ json, binary }: INodeExecutionData, areInJson: boolean): Map<string, InputFile> {
  const inJson = areInJson && isRecord(json) ? json[FILES_IN_JSON] : undefined;
  const combined = Object.entries(isRecord(inJson) ? inJson : {}).flatMap(([name, file]) =>
    isFile(file) ? [[name, { binary: file, at: file }] as const] : [],
  );
  const separate = Object.entries(binary ?? {}).flatMap(([name, file]) => {
    // Also one without bytes, which is refused later instead of being left out of "all files".
    if (!isRecord(file)) return [];
    const whole = typed(file);
    // Without a store n8n leaves the files there in such a workflow too, but looks for a name in the JSON alone.
    return [[name, { binary: whole, at: areInJson ? whole : name }] as const];
  });
  return new Map<string, InputFile>([...combined, ...separate]);
}

/** The file that a path with dots leads to in an item's JSON, e.g. `_files.data`. */
export function fileAtPath({ json }: INodeExecutionData, path: string): InputFile | undefined {
  const file = path.split('.').reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), json);
  return isFile(file) ? { binary: file, at: file } : undefined;
}

/** A file with a type, which one that a Code node made may lack. */
function typed(file: IBinaryData): IBinaryData {
  return typeof file?.mimeType === 'string' ? file : { ...file, ...UNTYPED };
}

/** n8n's own rule for a file in JSON. */
function isFile(value: unknown): value is IBinaryData {
  return isRecord(value) && typeof value.mimeType === 'string' && ('data' in value || 'id' in value);
}

/**
 * Refuses a file of which n8n would read other bytes than a node before has meant, or none at all. It takes anything
 * for Base64, and what is not is left out of the file without a word.
 *
 * @param label the field with its file, for the message
 * @throws InputError
 */
export function checkContent(label: string, { id, data }: { id?: unknown; data?: unknown }): void {
  if (id ? typeof id === 'string' : isContent(data)) return;
  const isLost = !id && STORES.includes(data);
  throw new InputError(
    label,
    isLost ? 'refers to a file of n8n without its ID.' : 'has a file whose content cannot be read.',
    isLost
      ? 'Let the previous nodes pass on the whole file, with its "id".'
      : 'A file that a previous node makes itself needs its bytes in "data", as Base64 and nothing else. "Convert to File" makes one of Base64 text.',
  );
}

function isContent(data: unknown): boolean {
  if (typeof data === 'string') return !STORES.includes(data) && !NOT_BASE64.test(data);
  return Buffer.isBuffer(data) || (isRecord(data) && data.type === 'Buffer' && Array.isArray(data.data));
}
