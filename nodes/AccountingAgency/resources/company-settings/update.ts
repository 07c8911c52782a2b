import type { Schemas } from '../../../shared/api/routes';
import { requireChange } from '../../../shared/values/changes';
import { approvalFields, approvalIdOption } from '../../fields/approval';
import { changeCollection, readChanges } from '../../fields/update-fields';
import { companyOf, companyRecord } from '../../engine/company';
import { companyField } from '../../fields/company';
import { dryRunFields, dryRunOutput, isDryRun } from '../../fields/dry-run';
import { idempotencyKey } from '../../fields/options';
import { sendGuarded } from '../../engine/approval';
import type { Item } from '../../engine/item';
import { output, outputFields } from '../../fields/output';
import { settingsView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { isPartOfPolicy, policyChanges, wholePolicy } from './policy';
import { policyRows } from './policy-fields';
import { AGENT_CHANGES, EXPORT_CHANGES, isPartOfExport, wholeExport } from './setting-fields';

type Settings = Schemas['CompanySettings'];

export const update: Operation = {
  value: 'update',
  name: 'Update',
  action: 'Update company settings',
  description:
    "Change export settings, accounting policy or agent switches. Agent switches need an administrator's approval.",
  builderHint:
    'For agent switches, set When Approval Is Needed, and send the approval link to an administrator.',
  calls: ['companySettings.update', 'companySettings.get'],
  fields: [
    companyField,
    changeCollection(EXPORT_CHANGES, {
      displayName: 'Export Settings',
      name: 'export',
      placeholder: 'Add export setting',
      description: 'Settings that you do not add keep their values',
    }),
    policyRows,
    {
      displayName:
        'An administrator of the agency must approve changes to agent switches. Until then, none of the changes in this node are made.',
      name: 'approvalNotice',
      type: 'notice',
      default: '',
    },
    changeCollection(AGENT_CHANGES, {
      displayName: 'Agent Switches',
      name: 'agent',
      placeholder: 'Add agent switch',
      description:
        "What the agency's AI agent may do for the company. Switches that you do not add keep their values.",
    }),
    ...dryRunFields,
    ...approvalFields,
    ...outputFields(settingsView),
  ],
  options: [approvalIdOption, idempotencyKey],
  record: companyRecord,
  async execute(item) {
    const change = async () => ({
      path: { id: await companyOf(item) },
      body: await settingsUpdate(item),
    });
    const call = await change();
    const sent = isDryRun(item)
      ? await item.request('PATCH /companies/{id}/settings', { ...call, query: { dryRun: true } }, 'dryRun')
      : await sendGuarded(item, call, change);
    if ('body' in sent) {
      const make = (settings: Settings) => output(item, settings, settingsView, changedFields(call.body));
      return 'dryRun' in sent.body ? dryRunOutput(item, sent.body, make) : [make(sent.body)];
    }
    return sent.needed;
  },
};

/** The body of the update. Export and policy are sent whole, filled up from the settings of now. */
async function settingsUpdate(item: Item): Promise<object> {
  const exported = readChanges(item, 'export', EXPORT_CHANGES);
  const policy = policyChanges(item);
  const agent = readChanges(item, 'agent', AGENT_CHANGES);
  requireChange('Company Settings: Update', { ...exported, ...policy, ...agent });
  const isPart = isPartOfExport(exported) || isPartOfPolicy(policy);
  const now = isPart ? await currentSettings(item) : undefined;
  return {
    ...(isAny(exported) && { export: wholeExport(exported, now?.export ?? null) }),
    ...(isAny(policy) && {
      accountingPolicy: { fields: wholePolicy(policy, now?.accountingPolicy.fields ?? []) },
    }),
    ...(isAny(agent) && { agent }),
  };
}

/** The fields of the output that an update sets. */
function changedFields(body: object): string[] {
  return Object.entries(body).flatMap(([section, values]) =>
    section === 'accountingPolicy' ? [section] : Object.keys(Object(values)),
  );
}

const isAny = (changes: object): boolean => Object.keys(changes).length > 0;

async function currentSettings(item: Item): Promise<Settings> {
  const { body } = await item.request('GET /companies/{id}/settings', {
    path: { id: await companyOf(item) },
  });
  return body;
}
