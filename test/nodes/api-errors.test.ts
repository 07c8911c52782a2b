import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { parse } from 'yaml';
import type { ErrorCode } from '../../sandbox/records';
import { runAction } from '../support/action';
import { companyById, settingsWhere } from '../support/company';
import type { NodeRun } from '../support/engine';
import { useSandbox } from '../support/sandbox';
import { fastTime } from '../support/time';

const sandbox = useSandbox();
fastTime(sandbox);

/** A run of the node that the agency refuses. */
interface Refused {
  parameters: INodeParameters;
  changes?: Partial<NodeRun>;
}

/** One row of the specification's Errors table. */
interface Row {
  status: number;
  /** What the builder reads. */
  message: string | RegExp;
  /** What the builder is told to do. */
  wayOut: string;
  provoke: () => Promise<Refused>;
}

const companies: INodeParameters = { resource: 'company', operation: 'getAll' };

const by = (token: string) => ({ credential: { address: sandbox().url, token } });

/** An answer that this sandbox gives only when it is told to, as often as the node asks. */
const planned = async (code: ErrorCode, parameters = companies, status?: number): Promise<Refused> => {
  const fault = { fault: 'status', code, times: 100, ...(status !== undefined && { status }) };
  await sandbox().control('faults', [fault]);
  return { parameters };
};

const file = (name: string, type: string) =>
  async function (this: IExecuteFunctions) {
    return [
      { json: {}, binary: { data: await this.helpers.prepareBinaryData(Buffer.from('x'), name, type) } },
    ];
  };

const submit = (more: INodeParameters = {}): INodeParameters => ({
  resource: 'task',
  operation: 'submitResult',
  taskId: sandbox().tasks[0] ?? '',
  status: 'done',
  ...more,
});

async function firstCompany(): Promise<string> {
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
  return body.data[0]?.id ?? '';
}

async function replacePlaybook(version: string): Promise<INodeParameters> {
  return {
    resource: 'companyPlaybook',
    operation: 'replace',
    companyId: companyById(await firstCompany()),
    version,
    markdown: '# New',
  };
}

/** A change of agent settings, which needs an approval. */
async function guarded(more: INodeParameters = {}): Promise<INodeParameters> {
  const { companyId } = await settingsWhere(sandbox(), ({ agent }) => agent.mcpEnabled);
  return {
    resource: 'companySettings',
    operation: 'update',
    companyId: companyById(companyId),
    agent: { mcpEnabled: false },
    ...more,
  };
}

/** The same change with an approval that was asked for, and perhaps decided. */
async function asked(decision?: 'rejected'): Promise<Refused> {
  const { outputs } = await runAction(sandbox(), await guarded({ whenApprovalNeeded: 'output' }));
  const approvalId = String(outputs[0]?.[0]?.json.approvalId);
  if (decision) await sandbox().control(`approvals/${approvalId}/decide`, { decision });
  return { parameters: await guarded({ options: { approvalId } }) };
}

const ROWS: Record<ErrorCode, Row> = {
  VALIDATION_ERROR: {
    status: 422,
    message: /^The agency did not accept the request: description: .*300/,
    wayOut: 'Correct the named fields',
    provoke: async () => ({
      parameters: {
        resource: 'webhookEndpoint',
        operation: 'create',
        url: 'https://127.0.0.1:1/agency',
        options: { description: 'x'.repeat(301) },
      },
    }),
  },
  INVALID_CURSOR: {
    status: 400,
    message: 'The agency does not accept the cursor.',
    wayOut: 'Start again without a cursor',
    provoke: async () => ({ parameters: { resource: 'event', operation: 'getAll', after: 'changed' } }),
  },
  INVALID_API_KEY: {
    status: 401,
    message: /^http:\/\/127\.0\.0\.1:\d+ does not accept the API key or access token\.$/,
    wayOut: 'Open the credential',
    provoke: async () => ({ parameters: companies, changes: by(sandbox().keys.revoked) }),
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The key lacks the scope tasks:write_result.',
    wayOut: 'Ask an administrator of the agency',
    provoke: async () => ({ parameters: submit(), changes: by(sandbox().keys.readonly) }),
  },
  COMPANY_ACCESS_DENIED: {
    status: 403,
    message: 'The key has no access to this company.',
    wayOut: 'Choose another company',
    provoke: async () => ({
      parameters: {
        resource: 'companyPeriod',
        operation: 'getAll',
        period: sandbox().period,
        filters: { companyId: companyById(await otherCompany()) },
      },
      changes: by(sandbox().keys.singleCompany),
    }),
  },
  FORBIDDEN: {
    status: 403,
    message: /^The agency does not allow this to the key/,
    wayOut: 'Ask an administrator of the agency',
    provoke: async () => await planned('FORBIDDEN'),
  },
  FEATURE_NOT_INCLUDED: {
    status: 403,
    message: /^The plan of the agency at .* does not include .*API/,
    wayOut: 'add API access to its plan',
    provoke: async () => {
      await sandbox().control('plan', { apiAccess: false });
      return { parameters: companies };
    },
  },
  APPROVAL_REQUIRED: {
    status: 403,
    message: /^An administrator of the agency must approve this change first: http/,
    wayOut: 'run it again with Approval ID',
    provoke: async () => ({ parameters: await guarded() }),
  },
  APPROVAL_PENDING: {
    status: 403,
    message: /^No administrator of the agency has decided yet: http/,
    wayOut: 'then run it again with Approval ID',
    provoke: async () => await asked(),
  },
  APPROVAL_REJECTED: {
    status: 403,
    message: 'An administrator of the agency has rejected this change.',
    wayOut: 'without an Approval ID',
    provoke: async () => await asked('rejected'),
  },
  NOT_FOUND: {
    status: 404,
    message: /^The agency does not know the company "nobody", or the key may not see it\./,
    wayOut: 'Check the ID',
    provoke: async () => ({
      parameters: { resource: 'company', operation: 'get', companyId: companyById('nobody') },
    }),
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: /^The agency at .* does not offer this operation\.$/,
    wayOut: 'a newer version of this node',
    provoke: async () => await planned('METHOD_NOT_ALLOWED'),
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'The same request is still being carried out by the agency.',
    wayOut: 'nothing is done twice',
    provoke: async () => await planned('IDEMPOTENCY_KEY_IN_USE', submit()),
  },
  CONFLICT: {
    status: 409,
    message: /^The state of the record does not allow this: This task already has its result/,
    wayOut: 'a task takes one result',
    provoke: async () => {
      await runAction(sandbox(), submit({ status: 'first' }));
      return { parameters: submit() };
    },
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The playbook was changed since it was read.',
    wayOut: 'Read it again',
    provoke: async () => ({ parameters: await replacePlaybook('999999') }),
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The file is larger than the 48 MB that the agency takes.',
    wayOut: 'Make the file smaller',
    // The node itself refuses a file of that size before it is sent.
    provoke: async () => ({
      ...(await planned('PAYLOAD_TOO_LARGE', { resource: 'file', operation: 'upload' })),
      changes: { input: file('a.pdf', 'application/pdf') },
    }),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: /^The agency does not take files of this type: Programs and scripts/,
    wayOut: 'Check the MIME type',
    provoke: async () => ({
      parameters: { resource: 'file', operation: 'upload' },
      changes: { input: file('setup.exe', 'application/x-msdownload') },
    }),
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'The idempotency key was already used for a different request.',
    wayOut: 'Give every write a key of its own',
    provoke: async () => {
      const options = { idempotencyKey: 'the same' };
      await runAction(sandbox(), submit({ options }));
      return { parameters: submit({ taskId: sandbox().tasks[1] ?? '', options }) };
    },
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    message: 'The version of the playbook that is to be replaced is missing.',
    wayOut: 'Read the playbook first',
    // The node always sends the version.
    provoke: async () => await planned('PRECONDITION_REQUIRED', await replacePlaybook('1')),
  },
  RATE_LIMITED: {
    status: 429,
    message: 'The agency takes 600 requests a minute, and this key has used them up.',
    wayOut: 'Run it again in a minute',
    provoke: async () => await planned('RATE_LIMITED'),
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'The agency could not carry out the request because of a fault on its side.',
    wayOut: 'give the request ID to the support',
    provoke: async () => await planned('INTERNAL_ERROR'),
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'The file storage of the agency is not available at the moment.',
    wayOut: 'What was stored is not stored twice',
    provoke: async () => await planned('STORAGE_UNAVAILABLE'),
  },
};

/** A company that the key `singleCompany` may not see. */
async function otherCompany(): Promise<string> {
  const { body: own } = await sandbox().call<{ data: Array<{ id: string }> }>({
    path: '/companies',
    key: sandbox().keys.singleCompany,
  });
  const { body } = await sandbox().call<{ data: Array<{ id: string }> }>({ path: '/companies' });
  return body.data.find(({ id }) => id !== own.data[0]?.id)?.id ?? '';
}

test('there is a row for each code of the contract', () => {
  const contract: { components: { schemas: { ErrorCode: { enum: string[] } } } } = parse(
    readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8'),
  );
  expect(Object.keys(ROWS).sort()).toEqual([...contract.components.schemas.ErrorCode.enum].sort());
});

describe.each(Object.entries(ROWS))('%s', (code, { status, message, wayOut, provoke }) => {
  test('stops the node with what happened, the item and the way out', async () => {
    const { parameters, changes } = await provoke();
    const { error } = await runAction(sandbox(), parameters, changes);
    const text = error?.message ?? '';
    expect(text).toMatch(/ \[item 0\]$/);
    expect(text.replace(/ \[item 0\]$/, '')).toMatch(message);
    expect(error?.description).toContain(wayOut);
    expect(error?.description).toMatch(/Request ID: \S+/);
    expect(error).toMatchObject({ httpCode: String(status) });
    expect(error?.context).toMatchObject({
      itemIndex: 0,
      data: { code, status, requestId: expect.any(String) },
    });
    const { credential } = { ...by(sandbox().keys.full), ...changes };
    expect(JSON.stringify(error)).not.toContain(credential.token);
  });

  test('goes to the error output with the same facts', async () => {
    const { parameters, changes } = await provoke();
    const { outputs } = await runAction(sandbox(), parameters, {
      onError: 'continueErrorOutput',
      ...changes,
    });
    expect(outputs[0]).toEqual([]);
    const [item] = outputs[1] ?? [];
    expect(item?.json.error).toMatch(message);
    expect(item?.json.message).toContain(wayOut);
    expect(item?.json.details).toMatchObject({ code, status });
  });
});

test('a 400 with the code of a validation says the same', async () => {
  const { parameters } = await planned('VALIDATION_ERROR', companies, 400);
  const { error } = await runAction(sandbox(), parameters);
  expect(error?.message).toMatch(/^The agency did not accept the request/);
  expect(error?.context?.data).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
});

test.each(['expired', 'foreign', 'revoked'] as const)(
  'the key "%s" gets what may be wrong with it',
  async (name) => {
    const { error } = await runAction(sandbox(), companies, by(sandbox().keys[name]));
    expect(error?.message).toMatch(/does not accept the API key or access token\. \[item 0\]$/);
    expect(error?.description).toContain('not after it was revoked or has expired');
  },
);
