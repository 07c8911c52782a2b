import { randomUUID } from 'node:crypto';
import type { IBinaryData, IExecuteFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { AgencyClient } from '../api/client';
import { AgencyError } from '../api/errors/agency-error';
import type { Schemas } from '../api/routes';
import { type AgencyEvent, isAgencyEvent } from './event-types';
import type { Include } from './parameters';
import { storedFile } from '../stored-file';
import { isRecord } from '../values/json';

/** The binary field of a document's file. */
const FILE_FIELD = 'data';

/** How an event reached the workflow. */
export interface Arrival {
  source: 'webhook' | 'feed';
  /** The webhook endpoint of the node; `null` for a node that has none. */
  endpointId: string | null;
}

/** What the record and the file are read with. */
export interface RecordSource {
  client: Pick<AgencyClient, 'request' | 'download'>;
  helpers: Pick<(IExecuteFunctions | IPollFunctions)['helpers'], 'prepareBinaryData' | 'getBinaryMetadata'>;
  include: Include;
}

/**
 * The item of an event, with how it arrived, and an ID that tells this arrival from others of the same event: n8n
 * keeps both when the execution is tried again.
 */
export function eventItem(event: AgencyEvent, arrival: Arrival): INodeExecutionData {
  return { json: { ...event, arrival: { id: randomUUID(), ...arrival } } };
}

/** The ID of the arrival that an item is of; `undefined` for any other item. */
export function arrivalId({ json: { arrival } }: INodeExecutionData): string | undefined {
  return isRecord(arrival) && typeof arrival.id === 'string' ? arrival.id : undefined;
}

/**
 * Adds to the item of an event what `include` says: the record that it is about, and the document's file. A record
 * that is gone, or that the key may not read, is `null` with the reason.
 *
 * @throws AgencyError when the agency cannot be read at the moment
 */
export async function withRecord(
  { client, helpers, include }: RecordSource,
  item: INodeExecutionData,
): Promise<INodeExecutionData> {
  const { json } = item;
  if (include === 'nothing' || !isAgencyEvent(json)) return item;
  const read = readerOf(client, json);
  if (read === undefined) {
    return withoutRecord(item, 'The agency has no record to read for this event.');
  }
  const found = await unlessRefused(read);
  if ('refusal' in found) return withoutRecord(item, found.refusal);
  const record = found.value;
  const complete = { ...item, json: { ...item.json, record: { ...record } } };
  if (include === 'record' || !('originalFilename' in record)) return complete;
  const file = await unlessRefused(async () => await fileOf(client, helpers, record));
  return 'refusal' in file
    ? { ...complete, json: { ...complete.json, fileUnavailable: file.refusal } }
    : { ...complete, binary: { ...item.binary, [FILE_FIELD]: file.value } };
}

/** The item of an event of which not everything can be read, with the reason: without the file, or without the record. */
export async function withWhatCanBeRead(
  source: RecordSource,
  item: INodeExecutionData,
  reason: string,
): Promise<INodeExecutionData> {
  if (source.include === 'record') return withoutRecord(item, reason);
  const [outcome] = await Promise.allSettled([withRecord({ ...source, include: 'record' }, item)]);
  return outcome.status === 'rejected'
    ? withoutRecord(item, reason)
    : { ...outcome.value, json: { ...outcome.value.json, fileUnavailable: reason } };
}

/** The item of an event whose record cannot be read, with the reason. */
function withoutRecord(item: INodeExecutionData, recordUnavailable: string): INodeExecutionData {
  return { ...item, json: { ...item.json, record: null, recordUnavailable } };
}

type Read = () => Promise<Schemas['Document'] | Schemas['Company'] | Schemas['CompanySettings']>;

/** What reads the record of an event; `undefined` when the API has nothing to read (spec: Endpoints). */
function readerOf(
  client: RecordSource['client'],
  { type, subject, companyId }: AgencyEvent,
): Read | undefined {
  if (type.startsWith('document.') && subject.type === 'document' && subject.id !== '') {
    return async () => (await client.request('GET /documents/{id}', { path: { id: subject.id } })).body;
  }
  if (companyId === null || companyId === '') return undefined;
  const call = { path: { id: companyId } };
  if (type === 'company.updated') {
    return async () => (await client.request('GET /companies/{id}', call)).body;
  }
  if (type === 'company.settings_updated') {
    return async () => (await client.request('GET /companies/{id}/settings', call)).body;
  }
  return undefined;
}

async function fileOf(
  client: RecordSource['client'],
  helpers: RecordSource['helpers'],
  { id, originalFilename, file }: Schemas['Document'],
): Promise<IBinaryData> {
  const record = { name: originalFilename, mimeType: file?.mimeType, sizeBytes: file?.sizeBytes };
  return await storedFile(
    helpers,
    record,
    async (consume) => (await client.download('GET /documents/{id}/content', { path: { id } }, consume)).body,
  );
}

/** What was read, or why the agency refuses it for good. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<{ value: T } | { refusal: string }> {
  const [outcome] = await Promise.allSettled([read()]);
  if (outcome.status === 'fulfilled') return { value: outcome.value };
  const reason: unknown = outcome.reason;
  if (!isRefusal(reason)) throw reason;
  return { refusal: reason.message };
}

/** By the agency itself, whose refusals have a code; a proxy's 404 may have passed in a minute. */
function isRefusal(error: unknown): error is AgencyError {
  return (
    error instanceof AgencyError &&
    error.code !== undefined &&
    (error.status === 404 || error.status === 403 || error.status === 410)
  );
}
