import { CHOICE_LABELS, EVENT_LABELS, OPERATION_LABELS, SETTING_LABELS } from '../../../sandbox/admin/labels';
import { companySettings } from '../../../nodes/AccountingAgency/resources/company-settings';
import {
  AGENT_CHANGES,
  EXPORT_CHANGES,
} from '../../../nodes/AccountingAgency/resources/company-settings/setting-fields';
import { update } from '../../../nodes/AccountingAgency/resources/company-settings/update';
import { EVENTS } from '../../../nodes/shared/events/event-types';

const sections = new Map(update.fields.map(({ name, displayName }) => [name, displayName]));

const fields = [
  ...EXPORT_CHANGES.map(({ property }) => ({ path: `export.${property.name}`, property })),
  ...AGENT_CHANGES.map(({ property }) => ({ path: `agent.${property.name}`, property })),
];

test('settings are called on the pages as in the node', () => {
  expect(Object.fromEntries(SETTING_LABELS)).toEqual({
    export: sections.get('export'),
    'accountingPolicy.fields': sections.get('accountingPolicy'),
    // Shown by the API, and not set in the node.
    'accountingPolicy.configured': `${sections.get('accountingPolicy')} Configured`,
    'agent.configured': `${sections.get('agent')} Configured`,
    ...Object.fromEntries(fields.map(({ path, property }) => [path, property.displayName])),
  });
});

test('their choices are called as in the node', () => {
  const choices = fields.flatMap(({ path, property }) =>
    (property.options ?? []).flatMap((option) =>
      'value' in option ? [[`${path} ${option.value}`, option.name]] : [],
    ),
  );
  expect(choices).not.toEqual([]);
  expect(Object.fromEntries(CHOICE_LABELS)).toEqual(Object.fromEntries(choices));
});

test('events and the operation that needs an approval are called as in the nodes', () => {
  expect(Object.fromEntries(EVENT_LABELS)).toEqual(
    Object.fromEntries(Object.entries(EVENTS).map(([type, { name }]) => [type, name])),
  );
  expect(Object.fromEntries(OPERATION_LABELS)).toEqual({
    [`${companySettings.value}.${update.value}`]: `${companySettings.name}: ${update.name}`,
  });
});
