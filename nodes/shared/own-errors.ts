import { type IDataObject, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';
import { AgencyError } from './api/errors/agency-error';
import { InputError } from './input-error';

/** Whether an error is in the package's own words: of the agency, or of a field. */
export function isOwnError(error: unknown): error is AgencyError | InputError {
  return error instanceof AgencyError || error instanceof InputError;
}

/** What an error says, with the way out, in one line: for places where n8n shows nothing but the message. */
export function fullMessage(error: unknown): string {
  if (isOwnError(error)) return `${error.message} ${error.description}`.replace(/\s+/g, ' ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * A description as n8n's editor takes it: as HTML, in which a line break is a space. So each line is set on its own, and
 * a line that is a link can be clicked.
 */
export function descriptionInEditor(description: string): string {
  const shown = (line: string) => {
    if (!/^https?:\/\/[^\s<>"]+$/.test(line)) return line;
    const link = line.replaceAll('&', '&amp;');
    return `<a href="${link}" target="_blank">${link}</a>`;
  };
  return description.split('\n').map(shown).join('<br>');
}

/** The facts of an error: plain values that n8n can store. */
export function detailsOf(thrown: unknown): JsonObject & IDataObject {
  if (thrown instanceof InputError) return { field: thrown.field, hint: thrown.description };
  if (!(thrown instanceof AgencyError)) return {};
  const { status, code, hint, issues, details, requestId, description } = thrown;
  return JSON.parse(JSON.stringify({ status, code, hint, issues, details, requestId, description }));
}

/** n8n puts words of its own in place of a message with a system's code in it, e.g. "EEXIST" in "preexisting", or beside it. */
export function inOwnWords<T extends Error>(message: string, error: T): T {
  error.message = message;
  return error;
}

/** An error as n8n shows it: what happened, the way out, and the facts in the details. */
export function apiError(
  node: INode,
  thrown: AgencyError | InputError,
  {
    message = thrown.message,
    description = thrown.description,
    itemIndex,
  }: { message?: string; description?: string; itemIndex?: number } = {},
): NodeApiError {
  const details = detailsOf(thrown);
  const httpCode = 'status' in thrown && thrown.status !== undefined ? String(thrown.status) : undefined;
  const error = new NodeApiError(node, details, { message, httpCode, itemIndex });
  // Set afterwards, since n8n would put one of the facts in the place of an empty one.
  error.description = descriptionInEditor(description);
  error.context.data = details;
  return inOwnWords(message, error);
}

/** The same, of whatever was thrown. What is neither the agency's nor the form's passes as it is. */
export function shownError(node: INode, error: unknown): unknown {
  return isOwnError(error) ? apiError(node, error) : error;
}
