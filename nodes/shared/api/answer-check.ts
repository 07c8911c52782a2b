import { isRecord } from '../values/json';
import { EXPECTED_ANSWERS, type RecordShape } from './expected-answers';
import type { JsonRoute } from './routes';

/**
 * Whether a 2xx answer is the agency's: whether it has the fields that identify what the contract promises. A proxy or
 * a broken server answers 2xx with anything.
 *
 * @param isDryRun a dry run is answered with its preview, and nothing else is
 * @param body the parsed JSON; `undefined` for an answer without a body
 */
export function isExpectedAnswer(route: JsonRoute, isDryRun: boolean, body: unknown): boolean {
  const { record, rows, preview, anything } = EXPECTED_ANSWERS[route];
  if (isRecord(body) && isRecord(body.error)) return false;
  if (rows !== undefined) return isRecord(body) && areRows(body.data, rows);
  if (isDryRun) return preview !== undefined && hasShape(body, preview);
  if (anything) return body === undefined || isRecord(body);
  // Only a removal is answered with nothing.
  if (record === undefined) return body === undefined || (isRecord(body) && !('error' in body));
  // A change that was answered with a preview was not made.
  const isPreview = preview !== undefined && hasShape(body, preview);
  return hasShape(body, record) && !isPreview && Object.keys(body).length > 0;
}

/** A field of a shape, taken apart once for all rows of a page. */
interface ExpectedField {
  name: string;
  /** Its JSON type, or the fields that it has itself. */
  type: string | ExpectedField[];
  mayBeEmpty: boolean;
}

/** Nothing says of other texts that they are not empty. */
const NEVER_EMPTY = /(^id|Id|secret)$/;

function fieldsOf(shape: RecordShape): ExpectedField[] {
  return Object.entries(shape).map(([name, type]) => ({
    name,
    type: typeof type === 'string' ? type : fieldsOf(type),
    mayBeEmpty: !NEVER_EMPTY.test(name),
  }));
}

function areRows(data: unknown, shape: RecordShape): boolean {
  const fields = fieldsOf(shape);
  return Array.isArray(data) && data.every((row) => hasFields(row, fields));
}

function hasShape(value: unknown, shape: RecordShape): value is Record<string, unknown> {
  return hasFields(value, fieldsOf(shape));
}

function hasFields(value: unknown, fields: ExpectedField[]): boolean {
  return isRecord(value) && fields.every((field) => hasType(value[field.name], field));
}

function hasType(value: unknown, { type, mayBeEmpty }: ExpectedField): boolean {
  if (typeof type !== 'string') return hasFields(value, type);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && (mayBeEmpty || value !== '');
}
