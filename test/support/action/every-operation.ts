import type { INodeParameters } from 'n8n-workflow';
import { companyById, listedCompanies } from './company';
import { madeEndpoint } from '../trigger/endpoint';
import { pdf } from './files';
import type { TestSandbox } from '../sandbox/sandbox';

let made = 0;

/** Bytes that no other test sends, so that no file is a duplicate. */
export const freshPdf = () => pdf(`fresh ${(made += 1)}`, 200);

/** One use of an operation of the action node, with input items that have a file in `data`. */
export interface OperationRow {
  operation: string;
  /** The request whose answer decides. */
  request: RegExp;
  /** Made anew for every run. */
  parameters: () => Promise<INodeParameters>;
  /** What the first output item holds of a record; its `id` if nothing is said. */
  identifies?: string;
  /** What a success is answered with is not shown: other requests tell whether it is the agency's. */
  takesAnyAnswer?: boolean;
  /** A removal may be answered with nothing. */
  takesNothing?: boolean;
}

/** Every operation of the action node at least once, with parameters that work. */
export function everyOperation(sandbox: () => TestSandbox): OperationRow[] {
  let companies: string[] = [];
  /** Another one for every run, so that runs at the same time do not change the same record. */
  const nextCompany = async () => {
    if (companies.length === 0) companies = (await listedCompanies(sandbox())).map(({ id }) => id);
    return String(companies[(made += 1) % companies.length]);
  };
  const company = async () => companyById(await nextCompany());
  const firstOf = async (path: string) =>
    String(
      (await sandbox().call<{ data: Array<{ id: string }> }>({ path, query: { limit: 1 } })).body.data[0]?.id,
    );
  const newFile = async () =>
    (
      await sandbox().call<{ id: string }>({
        method: 'POST',
        path: '/files',
        query: { filename: 'a.pdf' },
        headers: { 'content-type': 'application/pdf' },
        body: freshPdf(),
      })
    ).body.id;
  let taken = 0;
  const openTask = async () => {
    const { tasks } = sandbox();
    // Only a reset brings open tasks back.
    if (taken > 0 && taken % tasks.length === 0) await sandbox().control('reset');
    taken += 1;
    return String(tasks[(taken - 1) % tasks.length]);
  };
  return [
    { operation: 'company:get', request: /^GET/, parameters: async () => ({ companyId: await company() }) },
    {
      operation: 'company:getAll',
      request: /^GET/,
      parameters: async () => ({ returnAll: false, limit: 3 }),
    },
    {
      operation: 'company:update',
      request: /^PATCH/,
      parameters: async () => ({
        companyId: await company(),
        updateFields: { shortName: `S${(made += 1)}` },
      }),
    },
    {
      operation: 'monthEndWork:getCompanies',
      request: /^GET/,
      parameters: async () => ({ period: sandbox().period, limit: 3 }),
    },
    {
      operation: 'monthEndWork:getObligations',
      request: /^GET/,
      parameters: async () => ({ period: sandbox().period, limit: 3 }),
      identifies: 'companyId',
    },
    {
      operation: 'companyPlaybook:append',
      request: /^PUT/,
      parameters: async () => ({ companyId: await company(), markdown: `- ${(made += 1)}` }),
      identifies: 'companyId',
    },
    {
      operation: 'companyPlaybook:get',
      request: /playbook/,
      parameters: async () => ({ companyId: await company() }),
      identifies: 'companyId',
    },
    {
      operation: 'companyPlaybook:replace',
      request: /^PUT/,
      parameters: async () => {
        const id = await nextCompany();
        const { version } = (await sandbox().call<{ version: number }>({ path: `/companies/${id}/playbook` }))
          .body;
        return { companyId: companyById(id), version: String(version), markdown: `# ${(made += 1)}` };
      },
      identifies: 'companyId',
    },
    {
      operation: 'companySettings:get',
      request: /settings/,
      parameters: async () => ({ companyId: await company() }),
      identifies: 'companyId',
    },
    {
      operation: 'companySettings:update',
      request: /^PATCH/,
      parameters: async () => ({
        companyId: await company(),
        export: { baseCurrency: 'EUR', companyCountryCode: 'EE', xmlImportParameter: `X${(made += 1)}` },
      }),
      identifies: 'companyId',
    },
    {
      operation: 'document:createFromFile',
      request: /^POST/,
      parameters: async () => ({ companyId: await company(), fileId: await newFile() }),
    },
    {
      operation: 'document:download',
      request: /^GET \/documents\/[^/]+$/,
      parameters: async () => ({ documentId: await firstOf('/documents'), binaryPropertyName: 'data' }),
    },
    {
      operation: 'document:get',
      request: /^GET/,
      parameters: async () => ({ documentId: await firstOf('/documents') }),
    },
    { operation: 'document:getAll', request: /^GET/, parameters: async () => ({ limit: 3 }) },
    {
      operation: 'document:upload',
      request: /^POST \/files/,
      parameters: async () => ({ companyId: await company(), binaryPropertyName: 'data' }),
    },
    {
      operation: 'document:upload',
      request: /^POST \/documents/,
      parameters: async () => ({ companyId: await company(), binaryPropertyName: 'data' }),
    },
    { operation: 'event:getAll', request: /^GET/, parameters: async () => ({ limit: 3 }) },
    {
      operation: 'file:download',
      request: /^GET \/files\/[^/]+$/,
      parameters: async () => ({ fileId: await newFile(), binaryPropertyName: 'data' }),
    },
    { operation: 'file:get', request: /^GET/, parameters: async () => ({ fileId: await newFile() }) },
    { operation: 'file:upload', request: /^POST/, parameters: async () => ({ binaryPropertyName: 'data' }) },
    {
      operation: 'task:submitResult',
      request: /^POST/,
      parameters: async () => ({ taskId: await openTask(), status: 'done' }),
    },
    {
      operation: 'webhookEndpoint:create',
      request: /^POST/,
      parameters: async () => ({ url: `https://127.0.0.1:1/${(made += 1)}`, eventTypes: ['*'] }),
      identifies: 'secret',
    },
    {
      operation: 'webhookEndpoint:delete',
      request: /^DELETE/,
      parameters: async () => ({ endpointId: (await madeEndpoint(sandbox())).id }),
      takesNothing: true,
    },
    {
      operation: 'webhookEndpoint:getDeliveries',
      request: /^GET/,
      parameters: async () => {
        const { id } = await madeEndpoint(sandbox());
        await sandbox().call({ method: 'POST', path: `/webhook-endpoints/${id}/test` });
        return { endpointId: id, limit: 1 };
      },
      identifies: 'eventId',
    },
    {
      operation: 'webhookEndpoint:sendTestEvent',
      request: /^POST/,
      parameters: async () => ({ endpointId: (await madeEndpoint(sandbox())).id }),
      identifies: 'eventId',
      takesAnyAnswer: true,
    },
    {
      operation: 'webhookEndpoint:update',
      request: /^PATCH/,
      parameters: async () => ({
        endpointId: (await madeEndpoint(sandbox())).id,
        updateFields: { description: `D${(made += 1)}` },
      }),
      takesAnyAnswer: true,
    },
  ];
}
