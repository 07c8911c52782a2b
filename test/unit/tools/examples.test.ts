import type { INodeType } from 'n8n-workflow';
import { AccountingAgency } from '../../../nodes/AccountingAgency/AccountingAgency.node';
import { findOperation } from '../../../nodes/AccountingAgency/resources/registry';
import { AccountingAgencyFeedTrigger } from '../../../nodes/AccountingAgencyFeedTrigger/AccountingAgencyFeedTrigger.node';
import { AccountingAgencyTrigger } from '../../../nodes/AccountingAgencyTrigger/AccountingAgencyTrigger.node';
import { readExamples } from '../../../tools/demo/workflows';
import type { WorkflowFile, WorkflowNode } from '../../../tools/n8n/workflows';

const ACTION = 'n8n-nodes-accounting-agency.accountingAgency';
const TRIGGERS: Record<string, INodeType> = {
  'n8n-nodes-accounting-agency.accountingAgencyFeedTrigger': new AccountingAgencyFeedTrigger(),
  'n8n-nodes-accounting-agency.accountingAgencyTrigger': new AccountingAgencyTrigger(),
};
const NOTE = 'n8n-nodes-base.stickyNote';
/** What n8n adds to a node that polls. */
const OF_POLLS = ['pollTimes'];
/** What n8n adds to a node that is used as a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

const byType = ({ nodes }: WorkflowFile, type: string) =>
  nodes.filter((node) => node.type === type || node.type === `${type}Tool`);

/** The names of the fields that the editor shows for what the node is set to. */
function fieldsOf({ type, parameters }: WorkflowNode): string[] {
  const { properties } = (TRIGGERS[type] ?? new AccountingAgency()).description;
  return properties
    .filter(({ displayOptions: { show = {} } = {} }) =>
      ['resource', 'operation'].every((name) => !show[name] || show[name].includes(String(parameters[name]))),
    )
    .map(({ name }) => name);
}

const placeOf = ({ position }: WorkflowNode) => [position].flat().map(Number);

/** About where the text of a note ends: the editor's letters are 7 pixels wide on average, and its lines 19 high. */
function textEnd(note: WorkflowNode): number {
  const { content, width } = note.parameters;
  const lines = String(content)
    .split('\n\n')
    .map((paragraph) => Math.ceil((paragraph.length * 7) / (Number(width) - 26)));
  const [, top = 0] = placeOf(note);
  return lines.reduce((end, count) => end + count * 19 + 8, top + 12);
}

describe('the examples', () => {
  test('have names in kebab case', async () => {
    const names = [...(await readExamples()).keys()];
    expect(names.length).toBeGreaterThanOrEqual(7);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*\.json$/);
  });

  test('explain themselves, and hold no one’s credential, company or data', async () => {
    for (const [file, workflow] of await readExamples()) {
      const notes = workflow.nodes.filter(({ type }) => type === NOTE);
      expect([file, notes.length >= 3]).toEqual([file, true]);
      expect(notes[0]?.parameters['content']).toMatch(/^## /);
      for (const { credentials = {} } of workflow.nodes) {
        // With another one that nobody has, n8n 2 runs no other node either.
        expect(Object.keys(credentials).filter((type) => type !== 'accountingAgencyApi')).toEqual([]);
        expect(Object.values(credentials).filter(({ id }) => id !== null)).toEqual([]);
      }
      expect(workflow).not.toHaveProperty('pinData');
      expect(workflow).not.toHaveProperty('staticData');
    }
  });

  test('send what fails to a branch of its own, or go on with it', async () => {
    for (const [file, { nodes, connections }] of await readExamples()) {
      for (const { name, onError } of nodes.filter(({ type }) => type === ACTION)) {
        if (onError === 'continueRegularOutput') continue;
        const { main = [] } = Object(connections[name]);
        expect([file, name, onError]).toEqual([file, name, 'continueErrorOutput']);
        expect([file, name, main.length > 1 && main.at(-1).length]).toEqual([file, name, 1]);
      }
    }
  });

  test.each([
    ['mailbox', ({ type }: WorkflowNode) => type === 'n8n-nodes-base.emailReadImap', ['Gmail Trigger']],
    ['mail server', ({ type }: WorkflowNode) => type === 'n8n-nodes-base.emailSend', ['Gmail', 'Outlook']],
    [
      'folder',
      ({ type }: WorkflowNode) => type === 'n8n-nodes-base.readWriteFile',
      ['Google Drive', 'Microsoft OneDrive'],
    ],
    [
      'message',
      ({ name }: WorkflowNode) => name === 'Message to an administrator',
      ['Send Email', 'Gmail', 'Slack'],
    ],
    ['table', ({ name }: WorkflowNode) => /^(Table row|Add or update)$/.test(name), ['Google Sheets']],
  ] as const)('name the nodes to put in the place of a %s', async (_, stands, swaps) => {
    const standing = [...(await readExamples())].filter(([, { nodes }]) => nodes.some(stands));
    expect(standing.length).toBeGreaterThan(0);
    for (const [file, { nodes }] of standing) {
      const notes = nodes.flatMap(({ parameters: { content } }) => (content === undefined ? [] : [content]));
      expect([file, swaps.filter((swap) => !notes.join().includes(swap))]).toEqual([file, []]);
    }
  });

  test('have notes whose text ends above the nodes that stand in them', async () => {
    for (const [file, { nodes }] of await readExamples()) {
      const notes = nodes.filter(({ type }) => type === NOTE);
      for (const note of notes) {
        const [left = 0, top = 0] = placeOf(note);
        const [right, bottom] = [
          left + Number(note.parameters['width']),
          top + Number(note.parameters['height']),
        ];
        const inside = nodes
          .filter(({ type }) => type !== NOTE)
          .map(placeOf)
          .filter(([x = 0, y = 0]) => x >= left && x < right && y >= top && y < bottom);
        const highest = Math.min(bottom, ...inside.map(([, y = 0]) => y));
        expect([file, note.name, textEnd(note) <= highest]).toEqual([file, note.name, true]);
      }
    }
  });

  test('connect only nodes that they have', async () => {
    for (const [, { nodes, connections }] of await readExamples()) {
      const names = nodes.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const targets = JSON.stringify(connections).matchAll(/"node":"([^"]*)"/g);
      expect(names).toEqual(expect.arrayContaining([...targets].map(([, name]) => name)));
      expect(names).toEqual(expect.arrayContaining(Object.keys(connections)));
    }
  });

  test('set only fields that the nodes have', async () => {
    for (const [file, workflow] of await readExamples()) {
      const types = [ACTION, ...Object.keys(TRIGGERS)];
      for (const node of types.flatMap((type) => byType(workflow, type))) {
        const { resource, operation } = node.parameters;
        if (!(node.type in TRIGGERS))
          expect(findOperation(String(resource), String(operation))).toBeDefined();
        const known = [...fieldsOf(node), ...OF_TOOLS, ...OF_POLLS];
        expect([file, known]).toEqual([file, expect.arrayContaining(Object.keys(node.parameters))]);
      }
    }
  });
});
