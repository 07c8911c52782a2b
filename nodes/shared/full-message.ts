import { AgencyError } from './api/errors';
import { InputError } from './input-error';

/** What an error says, with the way out, in one line: for places where n8n shows nothing but the message. */
export function fullMessage(error: unknown): string {
  if (error instanceof AgencyError || error instanceof InputError) {
    return `${error.message} ${error.description}`.replace(/\s+/g, ' ');
  }
  return error instanceof Error ? error.message : String(error);
}
