import type { EventType } from '../records';

/** Names that a person knows from the nodes, by the API's own. A test compares them with the nodes. */
export type Labels = ReadonlyMap<string, string>;

const labels = (names: Record<string, string>): Labels => new Map(Object.entries(names));

/** The settings of a company, by their path in a change. */
export const SETTING_LABELS = labels({
  export: 'Export Settings',
  'export.baseCurrency': 'Base Currency',
  'export.companyCountryCode': 'Company Country Code',
  'export.xmlImportParameter': 'XML Import Parameter',
  'accountingPolicy.configured': 'Accounting Policy Configured',
  'accountingPolicy.fields': 'Accounting Policy',
  'agent.accountingData': 'Accounting Data',
  'agent.accountingSystemRead': 'Accounting System Read',
  'agent.accountingSystemWritePolicy': 'Accounting System Write Policy',
  'agent.configured': 'Agent Switches Configured',
  'agent.documentReview': 'Document Review',
  'agent.mcpEnabled': 'MCP Access',
  'agent.tier2ClarificationEnabled': 'Tier 2 Clarification',
});

const EVENTS: Record<EventType, string> = {
  'document.received': 'Document Received',
  'document.ocr_completed': 'Document Recognized',
  'document.ocr_failed': 'Recognition Failed',
  'obligation.updated': 'Month-End Work Updated',
  'task.completed': 'Task Completed',
  'company.updated': 'Company Updated',
  'company.settings_updated': 'Company Settings Updated',
  'webhook.test': 'Webhook Test',
};

/** The types of events. */
export const EVENT_LABELS = labels(EVENTS);

/** The operations that need an approval. */
export const OPERATION_LABELS = labels({ 'companySettings.update': 'Company Settings: Update' });

/** The choices of settings that are neither text nor switch, by path and value. */
export const CHOICE_LABELS = labels({
  'agent.accountingSystemWritePolicy disabled': 'Disabled',
  'agent.accountingSystemWritePolicy requires_approval': 'Requires Approval',
});
