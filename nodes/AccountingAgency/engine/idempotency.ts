import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { AnyCall } from '../../shared/api/routes';
import { InputError } from '../../shared/input-error';
import { isRecord } from '../../shared/values/json';

/** Where n8n puts an item's files in its JSON when the workflow's setting for binary data is "combined" (n8n 2.x). */
export const FILES_IN_JSON = '_files';

const LONGEST_KEY = 200;
/** Enough of a fingerprint to tell the remembered entries of an execution apart; it is stored with the execution. */
const ENTRY_KEY_LENGTH = 20;

/**
 * What stays the same when n8n runs the same work again, and differs for any other work: a mark of the execution, with
 * workflow, node and run.
 */
export type Seed = ReadonlyArray<string | number | undefined>;

/** The seed of one run of a node. Repeats for "Retry On Fail", for "Retry execution", and when n8n runs a killed execution again. */
export function seedOf(node: IExecuteFunctions): Seed {
  const { $execution, $runIndex } = node.getWorkflowDataProxy(0);
  const context = node.getContext('node');
  if (typeof context.seed !== 'string') {
    // Not the secret itself: the context is shown with the execution.
    context.seed = fingerprint(resumeSecret($execution) ?? (node.getExecutionId() || randomUUID()));
  }
  return [String(context.seed), node.getWorkflow().id, node.getNode().id, $runIndex];
}

/**
 * What n8n 2.x adds to the address at which a waiting execution goes on: it is stored before the first node runs, and
 * a retry has it too, even if n8n was killed. n8n 1.x has none; in queue mode it runs a killed execution again under
 * the same id. (The time at which an execution was established is not the same then.)
 */
function resumeSecret(execution: unknown): string | undefined {
  const url = isRecord(execution) ? execution.resumeUrl : undefined;
  return typeof url === 'string' ? url.split('?')[1] : undefined;
}

/** A short fingerprint of values that JSON can hold. */
export function fingerprint(...values: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/**
 * A fingerprint of an item without where n8n keeps its files, which is elsewhere for every execution.
 *
 * @throws InputError for an item of which there is no JSON
 */
export function fingerprintOf({ json, binary }: INodeExecutionData): string {
  const { [FILES_IN_JSON]: inJson, ...values } = json;
  try {
    return fingerprint(values, withoutPlaces(binary), withoutPlaces(inJson));
  } catch {
    throw notJson();
  }
}

function withoutPlaces(files: unknown): unknown {
  if (!isRecord(files)) return files;
  return Object.entries(files).map(([name, file]) =>
    isRecord(file) ? [name, file.fileName, file.mimeType, file.fileSize] : [name, file],
  );
}

const notJson = (): InputError =>
  new InputError(
    'The input item',
    'contains data that cannot be written as JSON, such as an object that contains itself.',
    'Remove it before this node, e.g. with "Edit Fields".',
  );

/** The `Idempotency-Key` of a write: of what it belongs to, and of what it asks (spec: Idempotency rules). */
export function keyOfWrite(identity: string, route: string, { path, query, body, file }: AnyCall): string {
  return fingerprint(identity, route, path, query, body, file && [file.mimeType, file.length]);
}

/**
 * The user's own key as a header can carry it: what is not printable ASCII leaves percent-encoded.
 *
 * @throws InputError when it is too long with the name of the step
 */
export function ownKeyOf(given: string, step: string): string {
  const own = given.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  const key = step === '' ? own : `${own}:${step}`;
  if (key.length > LONGEST_KEY) {
    throw new InputError(
      'Idempotency Key',
      `is ${key.length} characters long, including what the node adds.`,
      `Use at most ${LONGEST_KEY - (key.length - own.length)} characters.`,
    );
  }
  return key;
}

/** Something of an item that later tries of the same work know: in the node's context, which n8n keeps for retries. */
export class RememberedEntry {
  private readonly key: string;

  /**
   * @param memory the node's context, see `Item.memory`
   * @param kind name of the group of entries in it
   * @param identity a fingerprint of what the entry is about, see `Item.identity`
   */
  constructor(
    private readonly memory: Record<string, unknown>,
    private readonly kind: 'appends' | 'approvals' | 'uploads',
    identity: string,
  ) {
    this.key = identity.slice(0, ENTRY_KEY_LENGTH);
  }

  /** What was kept last; `undefined` when there is nothing. */
  get(): Record<string, unknown> | undefined {
    const entry = this.entries?.[this.key];
    return isRecord(entry) ? entry : undefined;
  }

  keep(entry: IDataObject): void {
    this.memory[this.kind] = Object.assign(this.entries ?? {}, { [this.key]: entry });
  }

  forget(): void {
    delete this.entries?.[this.key];
  }

  private get entries(): Record<string, unknown> | undefined {
    const entries = this.memory[this.kind];
    return isRecord(entries) ? entries : undefined;
  }
}
