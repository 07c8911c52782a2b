import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeType, Workflow } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { AccountingAgencyFeedTrigger } from '../../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import { AccountingAgencyTrigger } from '../../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';

/** A word of bookkeepers, and the action that is meant. */
const WORDS: ReadonlyArray<readonly [word: string, action: string]> = [
  ...['invoice', 'e-invoice', 'bill', 'receipt', 'expense', 'scan', 'bank statement', 'upload'].map(
    (word) => [word, 'Upload document (e-invoice, bill, receipt, expense, scan, bank statement)'] as const,
  ),
  ...['tax', 'payroll', 'due', 'overdue', 'month end', 'month-end', 'obligations'].map(
    (word) => [word, 'Get month-end obligations due and overdue (tax, VAT, payroll)'] as const,
  ),
  ...['deadline', 'status', 'work'].map(
    (word) => [word, 'Get companies with month-end work, status and deadline'] as const,
  ),
  ...['VAT', 'employees'].map((word) => [word, 'Update company (VAT period, employees)'] as const),
  ['client', 'Get company (client) by ID or code'],
  ['search', 'Get many companies (search clients)'],
  ...['inbox', 'unreadable'].map((word) => [word, 'Get many documents (search, inbox, unreadable)'] as const),
  ...['OCR', 'recognized'].map((word) => [word, 'Get document and its recognized data (OCR)'] as const),
  ...['PDF', 'XML', 'image'].map((word) => [word, 'Download document file (PDF, XML, image)'] as const),
  ...['accounting policy', 'export', 'agent', 'approval'].map(
    (word) => [word, 'Update company settings (accounting policy, export, agent approvals)'] as const,
  ),
  ...['playbook', 'bookkeeping', 'instructions'].map(
    (word) => [word, 'Get company playbook (bookkeeping instructions)'] as const,
  ),
  ['history', 'Get many events (history)'],
];

const actions = RESOURCES.flatMap(({ operations }) => operations.map(({ action }) => action));

test.each(WORDS)('"%s" stands in the action that is meant: %s', (word, expected) => {
  expect(actions).toContain(expected);
  // A search of n8n finds what has its letters in their order.
  expect(expected).toMatch(new RegExp([...word].join('.*'), 'i'));
});

test('the most used actions are the first', () => {
  expect(actions.slice(0, 5)).toContain(
    'Upload document (e-invoice, bill, receipt, expense, scan, bank statement)',
  );
  expect(actions.slice(5, 10)).toContain('Get month-end obligations due and overdue (tax, VAT, payroll)');
});

test.each(['AccountingAgency', 'AccountingAgencyTrigger', 'AccountingAgencyFeedTrigger'])(
  '%s is found by what bookkeepers call their work',
  (name) => {
    const codex: unknown = JSON.parse(
      readFileSync(join(__dirname, `../../../nodes/${name}/${name}.node.json`), 'utf8'),
    );
    expect(codex).toMatchObject({
      alias: expect.arrayContaining(['bookkeeping', 'bill', 'e-invoice', 'invoice OCR', 'month end', 'tax']),
    });
  },
);

function subtitleOf(type: INodeType, parameters: INode['parameters']): unknown {
  const { name, subtitle = '' } = type.description;
  const find = () => type;
  const node = { id: '1', name, type: name, typeVersion: 1, position: [0, 0], parameters } satisfies INode;
  const workflow = new Workflow({
    active: false,
    nodes: [node],
    connections: {},
    nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) },
  });
  return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

describe('The canvas shows below the name of a node', () => {
  test.each(
    RESOURCES.flatMap((resource) =>
      resource.operations.map(
        (operation) => [`${operation.name}: ${resource.name}`, resource, operation] as const,
      ),
    ),
  )('%s', (expected, resource, operation) => {
    const parameters = { resource: resource.value, operation: operation.value };
    expect(subtitleOf(new AccountingAgency(), parameters)).toBe(expected);
  });

  test('nothing, when the operation is not of this version', () => {
    expect(subtitleOf(new AccountingAgency(), { resource: 'company', operation: 'merge' })).toBeUndefined();
  });

  test.each([new AccountingAgencyTrigger(), new AccountingAgencyFeedTrigger()])('the events', (trigger) => {
    expect(subtitleOf(trigger, { events: ['document.ocr_completed', 'obligation.updated'] })).toBe(
      'Document Recognized, Month-End Work Updated',
    );
    expect(subtitleOf(trigger, { events: ['all'] })).toBe('All Events');
  });
});
