import type { Company, CompanyPlaybook, CompanySettings } from '../records';
import { COUNTRIES } from './names';
import { type Random, rotate } from './random';

type PolicyField = CompanySettings['accountingPolicy']['fields'][number];

const POLICY: Array<Pick<PolicyField, 'field' | 'defaultValue'>> = [
  {
    field: 'warehouse',
    defaultValue: { kind: 'warehouse', catalogEntryId: 11, code: 'PÕHI', label: 'Põhiladu' },
  },
  { field: 'type', defaultValue: { kind: 'type', catalogEntryId: 21, code: 'OST', label: 'Ostuarve' } },
  { field: 'journal', defaultValue: { kind: 'journal', catalogEntryId: 31, code: 'J1', label: 'Üldpäevik' } },
  {
    field: 'allocation',
    defaultValue: { kind: 'account', catalogEntryId: 4110, code: '4110', label: 'Kaubad ja materjal' },
  },
  {
    field: 'vatClass',
    defaultValue: { kind: 'vat_class', catalogEntryId: 51, code: 'KM24', label: 'Käibemaks 24%' },
  },
];

/** Settings of a company: most are configured, some not at all. */
export function makeSettings({ id }: Company, index: number, random: Random): CompanySettings {
  const configured = index % 6 !== 5;
  return {
    companyId: id,
    export: configured
      ? {
          baseCurrency: 'EUR',
          companyCountryCode: rotate(COUNTRIES, index).code,
          xmlImportParameter: `IMPORT_${index + 1}`,
        }
      : null,
    accountingPolicy: {
      configured,
      fields: POLICY.map(({ field, defaultValue }) => ({
        field,
        required: configured && random.chance(50),
        automatic: configured && random.chance(60),
        defaultValue: configured && random.chance(70) ? defaultValue : null,
      })),
    },
    agent: {
      configured,
      mcpEnabled: configured,
      documentReview: configured && random.chance(80),
      accountingData: configured && random.chance(60),
      accountingSystemRead: configured && random.chance(50),
      accountingSystemWritePolicy: configured && random.chance(30) ? 'requires_approval' : 'disabled',
      tier2ClarificationEnabled: random.chance(20),
    },
  };
}

const HABITS = [
  'Purchase invoices go to account 4110 unless the line names a vehicle.',
  'Fuel receipts: note the car’s number, deduct half of the VAT.',
  'Küsi juhatajalt kinnitust, kui arve on üle 5000 €.',
  'The client sends receipts on paper; expect them by the 5th.',
  'Rent is paid on the 23rd; the contract is in the archive.',
  'Lähetused: päevaraha ainult akti alusel.',
] as const;

/** Working instructions of a company. */
export function makePlaybook({ id, name, updatedAt }: Company, random: Random): CompanyPlaybook {
  const habits = HABITS.filter(() => random.chance(45));
  return {
    companyId: id,
    markdown: [`# ${name}`, '', ...habits.map((habit) => `- ${habit}`), ''].join('\n'),
    rules: {
      visualReview: {
        enabled: random.chance(30),
        target: 'detailed_line.description',
        instruction: 'Check that every line says what was bought.',
      },
    },
    version: random.int(1, 6),
    updatedAt,
  };
}
