import type { Schemas } from '../../../shared/api/routes';
import { InputError } from '../../../shared/input-error';
import { given } from '../../../shared/values/describe-value';
import { type Choices, requiredText } from '../../../shared/values/text';
import { type ChangeField, choiceChange, switchChange } from '../../fields/update-fields';

/** The export settings, by the names of the spec. They are sent whole. */
const EXPORT: { [K in keyof Schemas['ExportSettings']]: ChangeField } = {
  baseCurrency: {
    property: {
      displayName: 'Base Currency',
      name: 'baseCurrency',
      type: 'string',
      default: '',
      placeholder: 'e.g. EUR',
      description: 'Currency of the books, as a three-letter ISO 4217 code',
    },
    clearable: false,
    read: (label, value) => capitals(label, value, 3, 'e.g. EUR'),
  },
  companyCountryCode: {
    property: {
      displayName: 'Company Country Code',
      name: 'companyCountryCode',
      type: 'string',
      default: '',
      placeholder: 'e.g. EE',
      description: 'Country of the company, as a two-letter ISO 3166 code',
    },
    clearable: false,
    read: (label, value) => capitals(label, value, 2, 'e.g. EE'),
  },
  xmlImportParameter: {
    property: {
      displayName: 'XML Import Parameter',
      name: 'xmlImportParameter',
      type: 'string',
      default: '',
      placeholder: 'e.g. IMPORT_1',
      description: 'Parameter that the accounting system uses to import XML files',
    },
    clearable: false,
    read: (label, value) => requiredText(label, value, Number.POSITIVE_INFINITY),
  },
};

const WRITE_POLICIES: Choices<Schemas['AccountingSystemWritePolicy']> = [
  { name: 'Disabled', value: 'disabled', description: 'The agent cannot write' },
  {
    name: 'Requires Approval',
    value: 'requires_approval',
    description: 'The agent can write what a person has approved',
  },
];

/**
 * The agent switches, by the names of the spec, which says no more of them; those that are sent are merged into the
 * current ones.
 */
const AGENT: { [K in keyof Required<Schemas['AgentSwitchesUpdate']>]: ChangeField } = {
  accountingData: switchChange({
    displayName: 'Accounting Data',
    name: 'accountingData',
    description: "Whether the agency's AI agent may use the company's accounting data",
  }),
  accountingSystemRead: switchChange({
    displayName: 'Accounting System Read',
    name: 'accountingSystemRead',
    description: "Whether the agency's AI agent may read the accounting system",
  }),
  accountingSystemWritePolicy: choiceChange(WRITE_POLICIES, 'disabled', {
    displayName: 'Accounting System Write Policy',
    name: 'accountingSystemWritePolicy',
    clearable: false,
    description: "Whether the agency's AI agent may write to the accounting system",
  }),
  documentReview: switchChange({
    displayName: 'Document Review',
    name: 'documentReview',
    description: "Whether the agency's AI agent may review documents",
  }),
  mcpEnabled: switchChange({
    displayName: 'MCP Access',
    name: 'mcpEnabled',
    description: 'Whether AI assistants, such as Claude or ChatGPT, may connect over MCP',
  }),
  tier2ClarificationEnabled: switchChange({
    displayName: 'Tier 2 Clarification',
    name: 'tier2ClarificationEnabled',
    description:
      "Whether the agency's AI agent may ask for clarification at tier 2, as your agency defines it",
  }),
};

/** The export settings in the order of the form. */
export const EXPORT_CHANGES: ChangeField[] = Object.values(EXPORT);

/** The agent switches in the order of the form. */
export const AGENT_CHANGES: ChangeField[] = Object.values(AGENT);

/**
 * The export settings to send: what the item sets, the rest as it is now.
 *
 * @param current the settings of now; `null` when there are none
 * @throws InputError when there are none yet, and not all of them are set
 */
export function wholeExport(
  changes: Record<string, unknown>,
  current: Schemas['ExportSettings'] | null,
): Record<string, unknown> {
  const known: Record<string, unknown> = { ...current, ...changes };
  const missing = EXPORT_CHANGES.filter(({ property }) => known[property.name] === undefined);
  // An update takes no fields but those of the spec, and the settings of now may have others.
  if (missing.length === 0) {
    return Object.fromEntries(EXPORT_CHANGES.map(({ property: { name } }) => [name, known[name]]));
  }
  throw new InputError(
    'Export Settings',
    `of this company are not set yet, so ${missing.map(({ property }) => property.displayName).join(' and ')} must be added, too.`,
    'Add all three fields of Export Settings.',
  );
}

/** Whether the current export settings are needed to send them whole. */
export function isPartOfExport(changes: Record<string, unknown>): boolean {
  const set = Object.keys(changes).length;
  return set > 0 && set < EXPORT_CHANGES.length;
}

function capitals(label: string, value: unknown, length: number, example: string): string {
  const text = requiredText(label, value, Number.POSITIVE_INFINITY);
  // Tested before, since "ß" becomes "SS".
  if (new RegExp(`^[A-Za-z]{${length}}$`).test(text)) return text.toUpperCase();
  throw new InputError(
    label,
    `must be ${length} letters from A to Z, not ${given(text)}.`,
    `Enter a code, ${example}.`,
  );
}
