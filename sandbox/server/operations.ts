import type { Operation } from './operation';
import * as companies from '../agency/companies';
import * as companyPeriods from '../agency/company-periods';
import * as companyPlaybook from '../agency/company-playbook';
import * as companySettings from '../agency/company-settings';
import * as documents from '../agency/documents';
import * as events from '../agency/events';
import * as files from '../agency/files';
import * as tasks from '../agency/tasks';
import * as webhookEndpoints from '../webhooks/endpoints';

/** What does each operation of the contract, by its operationId. */
export const OPERATIONS: Record<string, Operation> = {
  'companies.list': companies.list,
  'companies.get': companies.get,
  'companies.update': companies.update,
  'companySettings.get': companySettings.get,
  'companySettings.update': companySettings.update,
  'companyPlaybook.get': companyPlaybook.get,
  'companyPlaybook.replace': companyPlaybook.replace,
  'documents.list': documents.list,
  'documents.create': documents.create,
  'documents.get': documents.get,
  'documents.content': documents.content,
  'files.create': files.create,
  'files.get': files.get,
  'files.content': files.content,
  'companyPeriods.list': companyPeriods.list,
  'tasks.submitResult': tasks.submitResult,
  'events.list': events.list,
  'webhookEndpoints.create': webhookEndpoints.create,
  'webhookEndpoints.test': webhookEndpoints.test,
  'webhookEndpoints.deliveries': webhookEndpoints.deliveries,
  'webhookEndpoints.update': webhookEndpoints.update,
  'webhookEndpoints.delete': webhookEndpoints.remove,
};
