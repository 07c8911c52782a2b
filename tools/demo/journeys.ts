import { EVENTS } from '../../nodes/shared/events/event-types';
import type { Execution } from '../n8n/executions';
import type { Journey } from './table';
import { READ, UPLOAD } from './workflows';

const EVENT_NAMES = new Map<string, string>(Object.entries(EVENTS).map(([type, { name }]) => [type, name]));

/** A file of the folder and the SHA-256 of its bytes, in hex. */
export interface SourceFile {
  name: string;
  sha256: string;
}

/** A document that the started workflow fetched, with the event that started it. */
export interface Arrival {
  event: { id: string; type: string; subject: { id: string } };
  document: { id: string; file: { sha256: string } | null };
  /** ISO 8601. */
  fetchedAt: string;
  verified: boolean | undefined;
}

/** What one execution of the trigger's workflow fetched; undefined when it did not come that far. */
export function arrivalOf(execution: Execution): Omit<Arrival, 'verified'> | undefined {
  const event = execution.items(READ.trigger)[0]?.json as Arrival['event'] | undefined;
  const document = execution.items(READ.fetch)[0]?.json as Arrival['document'] | undefined;
  const row = execution.items(READ.row)[0];
  if (!event || !document || !row || !execution.stoppedAt) return undefined;
  return { event, document, fetchedAt: execution.stoppedAt };
}

/** Joins files, the upload's two branches and the arrivals into one journey for each file. */
export function journeys(
  files: SourceFile[],
  upload: Execution,
  arrivals: Arrival[],
  company: string,
): Journey[] {
  const filed = upload.items(UPLOAD.upload, 0).map(({ json }) => json as FiledDocument);
  const refused = upload.items(UPLOAD.upload, 1).map(({ json }) => json as RefusedFile);
  const same = (a: string | undefined, b: string) => a?.normalize('NFC') === b.normalize('NFC');
  return files.map(({ name: file, sha256 }): Journey => {
    const document = filed.find(({ originalFilename }) => same(originalFilename, file));
    if (!document) {
      const reason = refused.find(({ fileName }) => same(fileName, file))?.error;
      return { file, company, isFiled: false, trouble: reason ?? upload.error ?? 'not filed' };
    }
    const arrival = arrivals.find(({ event }) => event.subject.id === document.id);
    if (!arrival) return { file, company, isFiled: true, trouble: 'no event arrived' };
    const { event, verified, fetchedAt } = arrival;
    return {
      file,
      company,
      isFiled: true,
      event: EVENT_NAMES.get(event.type) ?? event.type,
      verified,
      seconds: (Date.parse(fetchedAt) - Date.parse(document.createdAt)) / 1000,
      trouble: arrival.document.file?.sha256 === sha256 ? undefined : 'the file that came back is different',
    };
  });
}

type FiledDocument = { id: string; originalFilename: string; createdAt: string };
type RefusedFile = { fileName?: string; error?: string };
