import type { Operation, Resource } from '../../nodes/AccountingAgency/engine/operation';
import { RESOURCES } from '../../nodes/AccountingAgency/resources/registry';
import { EVENTS } from '../../nodes/shared/events/event-types';
import { operationOf } from '../contract';
import { exampleList, exampleSections } from './examples';

/**
 * When a call is made that not every run of an operation makes; empty: it is of use, but the operation does without.
 * By operation and call.
 */
const CONDITIONS: Record<string, Record<string, string>> = {
  'document/upload': {
    'companies.get': '',
    'files.get': '',
    'documents.get': '',
    'documents.list': 'to compare with documents',
    'events.list': 'to wait for text recognition',
  },
  'companySettings/update': {
    'companySettings.get': 'to change part of the export settings or accounting policy',
  },
};

interface Need {
  scope: string;
  /** The resource, or the kind of what needs it. */
  of: string;
  /** The operation or event. */
  name: string;
  /** When it needs it; empty: always. */
  when: string;
}

const unique = <T>(values: T[]): T[] => [...new Set(values)];

function needsOf(resource: Resource, operation: Operation): Need[] {
  const conditions = CONDITIONS[`${resource.value}/${operation.value}`] ?? {};
  return operation.calls
    .filter((call) => conditions[call] !== '')
    .flatMap((call) =>
      (operationOf(call)?.scopes ?? []).map((scope) => ({
        scope,
        of: `**${resource.name}**`,
        name: operation.name,
        when: conditions[call] ?? '',
      })),
    );
}

const shown = ({ when }: Need, text: string): string => (when === '' ? text : `${text} (${when})`);

const operations = RESOURCES.flatMap((resource) =>
  resource.operations.map((operation) => ({
    resource: resource.name,
    operation: operation.name,
    description: operation.description.replace(/\.$/, ''),
    needs: needsOf(resource, operation),
  })),
);

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Every operation of the action node with what it does and the scopes that it needs. */
function operationTable(): string {
  const rows = operations.map(({ resource, operation, description, needs }, index) => [
    resource === operations[index - 1]?.resource ? '' : `**${resource}**`,
    operation,
    description,
    unique(needs.map((need) => shown(need, `\`${need.scope}\``))).join(', '),
  ]);
  return table(['resource', 'operation', 'what it does', 'scope'], rows);
}

/** What needs a scope that is no operation. */
const OTHER_NEEDS: Need[] = [
  { scope: 'webhooks:manage', of: '**Trigger**', name: 'all', when: '' },
  { scope: 'events:read', of: '**Trigger**', name: 'all', when: 'unless Check Feed Every is 0' },
  { scope: 'events:read', of: '**Feed Trigger**', name: 'all', when: '' },
  { scope: 'companies:read', of: '**Lists**', name: 'picking a company, or finding it by code', when: '' },
  ...Object.values(EVENTS).flatMap(({ name, scope }) =>
    scope === undefined ? [] : [{ scope, of: '**Events**', name, when: '' }],
  ),
];

/** Every scope that the nodes make use of, with what needs it. */
function scopeTable(): string {
  const needs = [...operations.flatMap((operation) => operation.needs), ...OTHER_NEEDS];
  const rows = unique(needs.map(({ scope }) => scope))
    .sort()
    .map((scope) => {
      const mine = needs.filter((need) => need.scope === scope);
      const groups = unique(mine.map(({ of }) => of)).map((of) => {
        const names = mine.filter((need) => need.of === of).map((need) => shown(need, need.name));
        return `${of}: ${unique(names).join(', ')}`;
      });
      return [`\`${scope}\``, groups.join('; ')];
    });
  return table(['scope', 'needed for'], rows);
}

/** Every event type that the trigger can start a workflow with. */
function eventTable(): string {
  const rows = Object.entries(EVENTS).map(([type, { name, when }]) => [name, `\`${type}\``, when]);
  return table(['event', 'type', 'when'], rows);
}

/** The parts of README and docs that are made from the nodes, the contract and the examples, by page and place. */
export const generatedParts = (): Record<string, Record<string, string>> => ({
  'README.md': { 'example-list': exampleList() },
  'docs/actions.md': { operations: operationTable() },
  'docs/examples.md': { examples: exampleSections() },
  'docs/security.md': { scopes: scopeTable() },
  'docs/trigger.md': { events: eventTable() },
});

/**
 * A page with its generated parts made anew, each between `<!-- name -->` and `<!-- end -->`.
 *
 * @throws Error when the page has no place for a part
 */
export function withParts(page: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((whole, [name, content]) => {
    const place = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- end -->)`);
    if (!place.test(whole)) throw new Error(`There is no place for ${name}.`);
    return whole.replace(place, (_, begin: string, end: string) => `${begin}\n\n${content}\n\n${end}`);
  }, page);
}
