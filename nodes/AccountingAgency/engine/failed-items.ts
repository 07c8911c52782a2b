import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { AgencyError } from '../../shared/api/errors/agency-error';
import { isTool } from '../../shared/node-identity';
import {
  apiError,
  descriptionInEditor,
  detailsOf,
  fullMessage,
  inOwnWords,
  isOwnError,
} from '../../shared/own-errors';

/**
 * The error that stops the node, as the editor shows it: what happened, the way out, and the item. What is neither the
 * agency's nor about a field passes as it is, with its stack, its cause, and the data by which n8n explains it.
 *
 * @param itemIndex number of the item, from 0 as n8n counts
 */
export function nodeError(node: INode, thrown: unknown, itemIndex: number): Error {
  if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
    thrown.context.itemIndex ??= itemIndex;
    return thrown;
  }
  if (thrown instanceof Error && !isOwnError(thrown)) return thrown;
  const { message, description } = wordsOf(thrown);
  // Of an error of a tool, n8n gives the model nothing but the message.
  const words = isTool(node)
    ? { message: fullMessage(thrown), description: '' }
    : { message: `${message} [item ${itemIndex}]`, description };
  if (thrown instanceof AgencyError) return apiError(node, thrown, { ...words, itemIndex });
  const shown = { description: descriptionInEditor(words.description), itemIndex };
  return inOwnWords(words.message, new NodeOperationError(node, words.message, shown));
}

/**
 * Whether the n8n that runs the node takes an item with `details` for an error: since 2.35.3. For an older one such an
 * item is a good one. It is told by a function that came with 2.35.0, and not by what the module `n8n-workflow` exports,
 * since another copy of that may lie beside the package.
 */
export function takesDetails(context: IExecuteFunctions): boolean {
  return 'isConsoleOutputRedacted' in context;
}

/**
 * The item of the error output. n8n sends it there only with exactly these keys of JSON, to which it adds those of the
 * input item; the files are added here.
 *
 * @param mayHaveDetails see `takesDetails`
 */
export function errorItem(
  { onError }: INode,
  thrown: unknown,
  itemIndex: number,
  { binary }: INodeExecutionData,
  mayHaveDetails: boolean,
): INodeExecutionData {
  const { message, description } = wordsOf(thrown);
  const json: IDataObject = { error: message, message: `${message} ${description}`.trim() };
  if (mayHaveDetails || onError !== 'continueErrorOutput') json.details = detailsOf(thrown);
  return { json, ...(binary && { binary }), pairedItem: { item: itemIndex } };
}

/** What an error says: what happened, and the way out. */
export function wordsOf(thrown: unknown): { message: string; description: string } {
  if (isOwnError(thrown)) return thrown;
  if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) {
    return { message: thrown.message, description: thrown.description ?? '' };
  }
  return { message: thrown instanceof Error ? thrown.message : String(thrown), description: '' };
}
