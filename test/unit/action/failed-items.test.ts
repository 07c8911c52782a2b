import type { INode } from 'n8n-workflow';
import { ExpressionError, NodeOperationError } from 'n8n-workflow';
import { errorItem, nodeError } from '../../../nodes/AccountingAgency/engine/failed-items';
import { AgencyError } from '../../../nodes/shared/api/errors/agency-error';
import { InputError } from '../../../nodes/shared/input-error';

const node = (onError: INode['onError']): INode => ({
  id: '1',
  name: 'Agency',
  type: 'accountingAgency',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  onError,
});

test.each([
  ['an n8n that takes details', true, 'continueErrorOutput', ['error', 'message', 'details']],
  ['an older n8n', false, 'continueErrorOutput', ['error', 'message']],
  ['an older n8n', false, 'continueRegularOutput', ['error', 'message', 'details']],
] as const)('%s (%p) is given, for %s, an item with %p', (_, mayHaveDetails, onError, keys) => {
  const wrong = new InputError('Company', 'is empty.', 'Choose one.');
  const { json, pairedItem } = errorItem(node(onError), wrong, 3, { json: {} }, mayHaveDetails);
  expect(Object.keys(json)).toEqual(keys);
  expect(json).toMatchObject({ error: 'Company is empty.' });
  expect(String(json.message)).toContain('Choose one.');
  expect(pairedItem).toEqual({ item: 3 });
});

test.each([
  new TypeError('x is not a function', { cause: new Error('why') }),
  new ExpressionError('Referenced node is unexecuted', { type: 'no_execution_data', nodeCause: 'Other' }),
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
])('what is not the node’s own passes as it is: %p', (thrown) => {
  expect(nodeError(node(undefined), thrown, 2)).toBe(thrown);
});

test.each([
  new InputError('Period', 'is "November".', 'Enter it as YYYY-MM.'),
  new AgencyError('Period is "November".', 'Enter it as YYYY-MM.', { status: 400, code: 'VALIDATION_ERROR' }),
])('an error of a tool says all in its message, once: %p', (thrown) => {
  const error = nodeError({ ...node(undefined), type: 'accountingAgencyTool' }, thrown, 0);
  expect(error.message).toBe('Period is "November". Enter it as YYYY-MM.');
  expect(Object(error).description).toBeFalsy();
});

test('what is no error at all is told as one of the node', () => {
  const error = nodeError(node(undefined), 'gone', 2);
  expect(error).toBeInstanceOf(NodeOperationError);
  expect(error.message).toBe('gone [item 2]');
});
