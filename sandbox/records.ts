// Short names for the contract's records.
import type { components, operations } from '../nodes/shared/api/schema';

/** The query of an operation. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

type Schemas = components['schemas'];

export type Company = Schemas['Company'];
export type CompanyUpdate = Schemas['CompanyUpdate'];
export type CompanySettings = Schemas['CompanySettings'];
export type CompanySettingsUpdate = Schemas['CompanySettingsUpdate'];
export type CompanyPlaybook = Schemas['CompanyPlaybook'];
export type CompanyPlaybookReplace = Schemas['CompanyPlaybookReplace'];
export type Change = Schemas['Change'];
export type Document = Schemas['Document'];
export type DocumentCreate = Schemas['DocumentCreate'];
export type DocumentStage = Schemas['DocumentStage'];
export type File = Schemas['File'];
export type CompanyPeriod = Schemas['CompanyPeriod'];
export type CompanyPeriodStatus = Schemas['CompanyPeriodStatus'];
export type Obligation = Schemas['Obligation'];
export type ObligationStatus = Schemas['ObligationStatus'];
export type Task = Schemas['Task'];
export type TaskResult = Schemas['TaskResult'];
export type Event = Schemas['Event'];
export type EventType = Schemas['EventType'];
export type Scope = Schemas['Scope'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointCreate = Schemas['WebhookEndpointCreate'];
export type WebhookEndpointUpdate = Schemas['WebhookEndpointUpdate'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookTestResult = Schemas['WebhookTestResult'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorDetails = Schemas['ErrorDetails'];
export type Issue = Schemas['Issue'];
