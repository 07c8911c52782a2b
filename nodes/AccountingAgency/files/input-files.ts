import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isRecord } from '../../shared/values/json';
import { UNKNOWN_TYPE } from './media-type';

/** Where n8n puts an item's files in its JSON when the workflow's setting for binary data is "combined" (n8n 2.x). */
const FILES_IN_JSON = '_files';

const UNTYPED = { mimeType: UNKNOWN_TYPE };

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
  const separate = Object.entries(binary ?? {}).flatMap(([name, file]) =>
    isFile(typed(file)) ? [[name, { binary: typed(file), at: name }] as const] : [],
  );
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
