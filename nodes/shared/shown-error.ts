import { type INode, NodeApiError } from 'n8n-workflow';
import { AgencyError } from './api/errors';
import { InputError } from './input-error';

/** An error as n8n shows it, with its way out. What is neither the agency's nor the form's passes as it is. */
export function shownError(node: INode, error: unknown): unknown {
  if (!(error instanceof AgencyError || error instanceof InputError)) return error;
  const { message, description } = error;
  return new NodeApiError(node, {}, { message, description });
}
