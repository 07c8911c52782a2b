import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeType, Workflow } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { AccountingAgencyFeedTrigger } from '../../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import { AccountingAgencyTrigger } from '../../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { isRecord } from '../../../nodes/shared/values/json';

const actions = RESOURCES.flatMap(({ operations }) => operations.map(({ action }) => action));

// n8n names a new node by its action, so an action is short, and other words for it are aliases of the node.
test('actions are short enough to name a node', () => {
  expect(actions.filter((action) => action.length > 35)).toEqual([]);
});

const aliasesOf = (name: string): unknown => {
  const codex: unknown = JSON.parse(
    readFileSync(join(__dirname, `../../../nodes/${name}/${name}.node.json`), 'utf8'),
  );
  return isRecord(codex) ? codex.alias : undefined;
};

/** What bookkeepers call an action. */
const WORDS_OF_ACTIONS: Record<string, string[]> = {
  'Upload document': [
    'bank statement',
    'bill',
    'e-invoice',
    'expense',
    'file document',
    'file invoice',
    'invoice',
    'receipt',
    'scan',
    'upload document',
    'upload invoice',
  ],
  'Get document': ['document recognized', 'invoice OCR', 'OCR', 'text recognition'],
  'Get many documents': ['document', 'missing documents'],
  'Get month-end obligations': [
    'deadline',
    'due date',
    'month end',
    'month-end',
    'obligations',
    'overdue',
    'payroll',
    'tax',
    'tax return',
    'VAT',
    'VAT return',
  ],
  'Get companies with month-end work': ['month-end work'],
};

test.each(Object.entries(WORDS_OF_ACTIONS))(
  '"%s" is among the first five actions of the node that is found by %j',
  (action, words) => {
    expect(actions.slice(0, 5)).toContain(action);
    expect(aliasesOf('AccountingAgency')).toEqual(expect.arrayContaining(words));
  },
);

const WORDS = [
  'bookkeeping',
  'bill',
  'document recognized',
  'e-invoice',
  'invoice OCR',
  'month end',
  'month-end work',
  'receipt',
  'tax',
];

test.each([
  ['AccountingAgency', ['accountant', 'client', 'company', 'company settings', 'playbook']],
  ['AccountingAgencyTrigger', ['events', 'webhook']],
  ['AccountingAgencyFeedTrigger', ['events', 'polling']],
])('%s is found by what bookkeepers call their work', (name, own) => {
  expect(aliasesOf(name)).toEqual(expect.arrayContaining([...WORDS, ...own]));
});

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

test('n8n takes what its workflow builder is told, and each hint names only what there is', async () => {
  const { description } = new AccountingAgency();
  const hints = description.properties.flatMap(({ options = [] }) =>
    options.flatMap((one) => ('builderHint' in one && one.builderHint ? [one.builderHint.propertyHint] : [])),
  );
  expect(new Set(hints).size).toBe(RESOURCES.flatMap(({ operations }) => operations).length);
  // n8n refuses to load a node that has one on the field instead of its options.
  for (const { name, builderHint } of description.properties)
    expect([name, builderHint]).toEqual([name, undefined]);
  const labels = new Set(
    description.properties.flatMap(({ displayName, options = [] }) => [
      displayName,
      ...options.map((one) => ('displayName' in one ? one.displayName : one.name)),
    ]),
  );
  const [includes] = new AccountingAgencyTrigger().description.properties.filter(
    ({ name }) => name === 'include',
  );
  for (const { name } of includes?.options?.slice(1) ?? [])
    expect(hints.join(' ')).toContain(`Include of the trigger to ${name} instead`);
  const named = ['Overdue Only', 'Due Within (Days)', 'Return All', 'Get Obligations', 'Append', 'Version'];
  for (const label of [...named, 'When Approval Is Needed', 'Input Binary Field']) {
    expect(hints.join(' ')).toContain(label);
    expect(labels).toContain(label);
  }
});
