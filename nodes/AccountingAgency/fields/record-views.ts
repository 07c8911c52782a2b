import type { IDataObject } from 'n8n-workflow';
import type { Schemas } from '../../shared/api/routes';

/** How the records of one kind are output. */
export interface RecordView<T> {
  /** Fields of the simplified output, at most ten, what people read first. */
  simplified: string[];
  /** Fields that can be selected besides. */
  more: string[];
  /** Fields of both lists that the record does not have itself, made from what is nested in it. */
  flat?: (record: T) => IDataObject;
}

/** An obligation with what its company's entry on the board says. */
export type Obligation = Schemas['Obligation'] &
  Pick<Schemas['CompanyPeriod'], 'companyName' | 'primaryAccountantUserId'>;

export const companyView: RecordView<Schemas['Company']> = {
  simplified: [
    'name',
    'shortName',
    'registrationCode',
    'vatCode',
    'legalForm',
    'directorName',
    'vatPeriod',
    'serviceStoppedFrom',
    'updatedAt',
    'id',
  ],
  more: ['address', 'createdAt', 'employeesFrom', 'employeesTo', 'serviceStoppedReason', 'vatFrom', 'vatTo'],
};

export const playbookView: RecordView<Schemas['CompanyPlaybook']> = {
  simplified: ['companyName', 'markdown', 'rules', 'version', 'updatedAt', 'companyId'],
  more: [],
};

export const settingsView: RecordView<Schemas['CompanySettings']> = {
  simplified: [
    'companyName',
    'baseCurrency',
    'companyCountryCode',
    'mcpEnabled',
    'documentReview',
    'accountingData',
    'accountingSystemRead',
    'accountingSystemWritePolicy',
    'tier2ClarificationEnabled',
    'companyId',
  ],
  more: ['accountingPolicy', 'agent', 'export', 'xmlImportParameter'],
  flat: ({ export: exported, agent }) => {
    const { baseCurrency = null, companyCountryCode = null, xmlImportParameter = null } = exported ?? {};
    return { baseCurrency, companyCountryCode, xmlImportParameter, ...agent };
  },
};

export const documentView: RecordView<Schemas['Document']> = {
  simplified: [
    'name',
    'companyName',
    'stage',
    'destination',
    'source',
    'receivedAt',
    'mimeType',
    'duplicateOfDocumentId',
    'companyId',
    'id',
  ],
  more: ['accountingDocumentId', 'createdAt', 'file', 'originalFilename', 'sha256', 'sizeBytes', 'updatedAt'],
  flat: ({ file }) => {
    const { mimeType = null, sizeBytes = null, sha256 = null } = file ?? {};
    return { mimeType, sizeBytes, sha256 };
  },
};

export const fileView: RecordView<Schemas['File']> = {
  simplified: ['filename', 'mimeType', 'sizeBytes', 'createdAt', 'expiresAt', 'sha256', 'documentId', 'id'],
  more: [],
};

export const companyPeriodView: RecordView<Schemas['CompanyPeriod']> = {
  simplified: [
    'companyName',
    'period',
    'status',
    'nextDueDate',
    'obligationsTotal',
    'obligationsOpen',
    'obligationsOverdue',
    'documentsInbox',
    'companyId',
    'id',
  ],
  more: [
    'counts',
    'documents',
    'documentsAccounting',
    'documentsReceived',
    'hasEmployees',
    'messages',
    'obligations',
    'obligationsDone',
    'obligationsNotApplicable',
    'primaryAccountantUserId',
    'vatPayer',
  ],
  flat: ({ counts, documents }) => ({
    obligationsTotal: counts.total,
    obligationsOpen: counts.open,
    obligationsOverdue: counts.overdue,
    obligationsDone: counts.done,
    obligationsNotApplicable: counts.notApplicable,
    documentsInbox: documents.inbox,
    documentsAccounting: documents.accounting,
    documentsReceived: documents.received,
  }),
};

export const obligationView: RecordView<Obligation> = {
  simplified: [
    'companyName',
    'label',
    'dueDate',
    'assigneeUserId',
    'status',
    'overdue',
    'period',
    'code',
    'companyId',
    'id',
  ],
  more: ['completedAt', 'completionSource', 'primaryAccountantUserId', 'statusLabel'],
};

export const eventView: RecordView<Schemas['Event']> = {
  simplified: ['type', 'companyName', 'createdAt', 'subject', 'data', 'companyId', 'id'],
  more: [],
};

export const taskView: RecordView<Omit<Schemas['Task'], 'result'>> = {
  simplified: [
    'companyName',
    'type',
    'status',
    'resultStatus',
    'subjectType',
    'subjectId',
    'attempt',
    'completedAt',
    'companyId',
    'id',
  ],
  more: ['createdAt', 'createdBy', 'humanFeedback', 'instruction', 'subject', 'updatedAt'],
  flat: ({ subject }) => ({ subjectType: subject.type, subjectId: subject.id }),
};

export const deliveryView: RecordView<Schemas['WebhookDelivery']> = {
  simplified: [
    'eventType',
    'status',
    'lastStatusCode',
    'lastError',
    'attempts',
    'nextAttemptAt',
    'deliveredAt',
    'createdAt',
    'eventId',
    'id',
  ],
  more: [],
};

export const endpointView: RecordView<Schemas['WebhookEndpoint']> = {
  simplified: [
    'url',
    'description',
    'eventTypes',
    'enabled',
    'lastSuccessAt',
    'lastFailureAt',
    'createdAt',
    'id',
  ],
  more: [],
};
