import type { Agency } from './agency';
import { iso } from '../time/clock';
import { ApiError, notFound } from '../server/errors';
import { header, ok, type Call, type Operation, type Reply } from '../server/operation';
import type { CompanyPlaybook, CompanyPlaybookReplace } from '../records';
import { readPlaybook, savePlaybook } from '../store/companies';
import { addressedCompany } from './companies';

function playbookOf(call: Call, agency: Agency): CompanyPlaybook {
  const playbook = readPlaybook(agency.db, addressedCompany(call, agency).id);
  if (!playbook) throw notFound('company');
  return playbook;
}

const withTag = (playbook: CompanyPlaybook): Reply => ok(playbook, { etag: `"${playbook.version}"` });

export const get: Operation = (call, agency) => withTag(playbookOf(call, agency));

/** @throws ApiError `PRECONDITION_REQUIRED`, `PRECONDITION_FAILED` */
export const replace: Operation = (call, agency) => {
  const before = playbookOf(call, agency);
  const expected = header(call, 'if-match')?.trim();
  if (!expected) {
    throw new ApiError('PRECONDITION_REQUIRED', 'The header If-Match is needed.', {
      hint: 'Read the playbook, and send the version that you replace as If-Match.',
    });
  }
  if (expected !== `${before.version}` && expected !== `"${before.version}"`) {
    throw new ApiError('PRECONDITION_FAILED', 'The playbook has changed since it was read.', {
      hint: 'Read it again, then decide what to write.',
    });
  }
  const { markdown, rules } = call.body as CompanyPlaybookReplace;
  const result: CompanyPlaybook = {
    ...before,
    markdown,
    rules: rules ?? before.rules,
    version: before.version + 1,
    updatedAt: iso(agency.clock.now()),
  };
  savePlaybook(agency.db, result);
  return withTag(result);
};
