import type { ErrorCode } from '../../../../sandbox/records';
import { runAction } from '../../../support/action/action';
import { companyById } from '../../../support/action/company';
import type { TestSandbox } from '../../../support/sandbox/sandbox';
import {
  asked,
  by,
  companies,
  file,
  guarded,
  otherCompany,
  planned,
  type Refused,
  replacePlaybook,
  submit,
} from './provoke';

/** One row of the specification's Errors table. */
export interface Row {
  status: number;
  /** What the builder reads. */
  message: string | RegExp;
  /** What the builder is told to do. */
  resolution: string;
  provoke: (sandbox: TestSandbox) => Promise<Refused>;
}

/** The specification's Errors table, with what the node makes of each code. */
export const ROWS: Record<ErrorCode, Row> = {
  VALIDATION_ERROR: {
    status: 422,
    message: /^The agency did not accept the request: url: .*uri/,
    resolution: 'Correct these fields',
    provoke: async () => ({
      parameters: {
        resource: 'webhookEndpoint',
        operation: 'create',
        url: 'https://127.0.0.1:1/agency events',
      },
    }),
  },
  INVALID_CURSOR: {
    status: 400,
    message: 'The agency does not accept this position in the list.',
    resolution: 'Start again from the beginning',
    provoke: async () => ({
      parameters: { resource: 'event', operation: 'getAll', after: 'changed' },
    }),
  },
  INVALID_API_KEY: {
    status: 401,
    message: /^http:\/\/127\.0\.0\.1:\d+ does not accept the API key or access token\.$/,
    resolution: 'Check both fields of the credential',
    provoke: async (sandbox) => ({ parameters: companies, changes: by(sandbox, sandbox.keys.revoked) }),
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The key lacks the scope tasks:write_result.',
    resolution: 'Ask an administrator of the agency',
    provoke: async (sandbox) => ({
      parameters: submit(sandbox),
      changes: by(sandbox, sandbox.keys.readonly),
    }),
  },
  COMPANY_ACCESS_DENIED: {
    status: 403,
    message: 'The key has no access to this company.',
    resolution: 'Select another company',
    provoke: async (sandbox) => ({
      parameters: {
        resource: 'monthEndWork',
        operation: 'getCompanies',
        period: sandbox.period,
        filters: { companyId: companyById(await otherCompany(sandbox)) },
      },
      changes: by(sandbox, sandbox.keys.singleCompany),
    }),
  },
  FORBIDDEN: {
    status: 403,
    message: /^The agency does not allow this with the key/,
    resolution: 'Ask an administrator of the agency',
    provoke: async (sandbox) => await planned(sandbox, 'FORBIDDEN'),
  },
  FEATURE_NOT_INCLUDED: {
    status: 403,
    message: /^The plan of the agency at .* does not include .*API/,
    resolution: 'add API access to its plan',
    provoke: async (sandbox) => {
      await sandbox.control('plan', { apiAccess: false });
      return { parameters: companies };
    },
  },
  APPROVAL_REQUIRED: {
    status: 403,
    message: 'An administrator of the agency must approve this change first.',
    resolution: 'run this again with the option Approval ID',
    provoke: async (sandbox) => ({ parameters: await guarded(sandbox) }),
  },
  APPROVAL_PENDING: {
    status: 403,
    message: 'No administrator of the agency has decided yet.',
    resolution: 'Then run this again with the option Approval ID',
    provoke: async (sandbox) => await asked(sandbox),
  },
  APPROVAL_REJECTED: {
    status: 403,
    message: 'An administrator of the agency rejected this change.',
    resolution: 'without an Approval ID',
    provoke: async (sandbox) => await asked(sandbox, 'rejected'),
  },
  NOT_FOUND: {
    status: 404,
    message: /^Company "nobody" not found, or the key has no access to it\./,
    resolution: 'Check the ID',
    provoke: async () => ({
      parameters: { resource: 'company', operation: 'get', companyId: companyById('nobody') },
    }),
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: /^The agency at .* does not offer this operation\.$/,
    resolution: 'a newer version of this node',
    provoke: async (sandbox) => await planned(sandbox, 'METHOD_NOT_ALLOWED'),
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'The agency is still working on the same request.',
    resolution: 'Wait a minute and try again. With "Retry execution", nothing is done twice.',
    provoke: async (sandbox) =>
      await planned(sandbox, 'IDEMPOTENCY_KEY_IN_USE', { parameters: submit(sandbox) }),
  },
  CONFLICT: {
    status: 409,
    message: /^The state of the record does not allow this: This task already has its result/,
    resolution: 'a task can have only one result',
    provoke: async (sandbox) => {
      await runAction(sandbox, submit(sandbox, { status: 'first' }));
      return { parameters: submit(sandbox) };
    },
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The playbook has changed since it was read.',
    resolution: 'get the playbook again',
    provoke: async (sandbox) => ({ parameters: await replacePlaybook(sandbox, '999999') }),
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The file is larger than the 48 MB that the agency accepts.',
    resolution: 'Make the file smaller',
    // The node itself refuses a file of that size before it is sent.
    provoke: async (sandbox) => ({
      ...(await planned(sandbox, 'PAYLOAD_TOO_LARGE', {
        parameters: { resource: 'file', operation: 'upload' },
      })),
      changes: { input: file('a.pdf', 'application/pdf') },
    }),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: /^The agency does not accept files of this type: Programs and scripts/,
    resolution: 'Check the MIME type',
    provoke: async () => ({
      parameters: { resource: 'file', operation: 'upload' },
      changes: { input: file('setup.exe', 'application/x-msdownload') },
    }),
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'The idempotency key was already used for a different request.',
    resolution: 'Use a different key for each write',
    provoke: async (sandbox) => {
      const options = { idempotencyKey: 'the same' };
      await runAction(sandbox, submit(sandbox, { options }));
      return { parameters: submit(sandbox, { taskId: sandbox.tasks[1] ?? '', options }) };
    },
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    message: 'The version of the playbook is missing.',
    resolution: 'Get the playbook first',
    // The node always sends the version.
    provoke: async (sandbox) =>
      await planned(sandbox, 'PRECONDITION_REQUIRED', { parameters: await replacePlaybook(sandbox, '1') }),
  },
  RATE_LIMITED: {
    status: 429,
    message: 'This key has used up its 600 requests for this minute.',
    resolution: 'Try again in a minute',
    provoke: async (sandbox) => await planned(sandbox, 'RATE_LIMITED'),
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'The agency has an internal error.',
    resolution: "give the agency's support the request ID from the error's details.",
    provoke: async (sandbox) => await planned(sandbox, 'INTERNAL_ERROR'),
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'The file storage of the agency is not available at the moment.',
    resolution: 'Try again in a few minutes. With "Retry execution", nothing is done twice.',
    provoke: async (sandbox) => await planned(sandbox, 'STORAGE_UNAVAILABLE'),
  },
};
