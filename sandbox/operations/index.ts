import type { Operation } from '../operation';
import * as companies from './companies';
import * as companyPeriods from './companyPeriods';
import * as companyPlaybook from './companyPlaybook';
import * as companySettings from './companySettings';
import * as documents from './documents';
import * as events from './events';
import * as files from './files';
import * as tasks from './tasks';
import * as webhookEndpoints from './webhookEndpoints';

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
