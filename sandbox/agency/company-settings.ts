import { useApproval } from './approvals';
import { changesBetween } from './changes';
import { emit } from './events';
import { header, ok, refused, type Call, type Operation } from '../server/operation';
import type { Agency } from './agency';
import type { CompanySettings, CompanySettingsUpdate } from '../records';
import { readSettings, saveSettings } from '../store/companies';
import { invalid, notFound } from '../server/errors';
import { addressedCompany } from './companies';

function settingsOf(call: Call, agency: Agency): CompanySettings {
  const settings = readSettings(agency.db, addressedCompany(call, agency).id);
  if (!settings) throw notFound('company');
  return settings;
}

/** `export` and `accountingPolicy` are replaced, agent switches merged; a section that was written to is configured. */
function updated(settings: CompanySettings, update: CompanySettingsUpdate): CompanySettings {
  const switches = changesBetween(settings.agent, { ...settings.agent, ...update.agent });
  return {
    ...settings,
    ...(update.export && { export: update.export }),
    ...(update.accountingPolicy && {
      accountingPolicy: { configured: true, fields: update.accountingPolicy.fields },
    }),
    ...(switches.length && { agent: { ...settings.agent, ...update.agent, configured: true } }),
  };
}

export const get: Operation = (call, agency) => ok(settingsOf(call, agency));

/** @throws ApiError `VALIDATION_ERROR`: the five fields of an accounting policy are five different ones. */
function checkPolicy({ accountingPolicy }: CompanySettingsUpdate): void {
  const names = (accountingPolicy?.fields ?? []).map(({ field }) => field);
  const issues = names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [{ path: `accountingPolicy.fields.${index}.field`, message: `"${name}" is listed more than once` }]
      : [],
  );
  if (issues.length > 0) throw invalid(issues, 422);
}

export const update: Operation = (call, agency) => {
  const before = settingsOf(call, agency);
  const { companyId } = before;
  const wanted = call.body as CompanySettingsUpdate;
  checkPolicy(wanted);
  const result = updated(before, wanted);
  const changes = changesBetween(before, result);
  if (call.query.dryRun) return ok({ dryRun: true, changes, result });
  if (changes.some(({ path }) => path.startsWith('agent.'))) {
    const change = {
      operationId: call.operationId,
      companyId,
      reason: "Changing what the agent may do needs an administrator's approval.",
      request: call.body,
      changes,
    };
    const refusal = useApproval(agency, call.principal, change, header(call, 'approval-id'));
    if (refusal) return refused(refusal);
  }
  if (changes.length) {
    saveSettings(agency.db, result);
    emit(agency, 'company.settings_updated', { id: companyId, companyId });
  }
  return ok(result);
};
