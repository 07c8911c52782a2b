import { createHash } from 'node:crypto';
import type { Schemas } from '../../../nodes/shared/api/routes';

const WHEN = '2026-11-27T10:00:00.000Z';
const SHA256 = '0'.repeat(64);
export const PERIOD = '2026-11';
const OBLIGATIONS = 8;
const SECOND_MS = 1000;
const NEWEST_AGE_MS = 7200 * SECOND_MS;
const started = Date.now();

/** The bytes of a document's file: text, so that a caller can make one that is there already. */
export const contentOf = (number: number): Buffer => Buffer.from(`document ${number}`);

/** A document as the API shows it, the same for the same number. */
export function documentNumber(number: number, companyId = 'company-1'): Schemas['Document'] {
  const id = `doc_${String(number).padStart(8, '0')}`;
  return {
    id,
    accountingDocumentId: number,
    companyId,
    name: `Invoice ${number} of Põhjala Ehitus OÜ, November`,
    originalFilename: `invoice-${number}.pdf`,
    source: 'api',
    receivedAt: WHEN,
    stage: 'inbox',
    destination: null,
    duplicateOfDocumentId: null,
    file: { sha256: hashOf(number), mimeType: 'application/pdf', sizeBytes: 200_000 + number },
    createdAt: WHEN,
    updatedAt: WHEN,
  };
}

function hashOf(number: number): string {
  return createHash('sha256').update(contentOf(number)).digest('hex');
}

/** An event of the feed. The newest of the history is two hours old when the agency starts, each before it a second older. */
export function eventNumber(number: number, history: number): Schemas['Event'] {
  const type = number % 2 === 0 ? 'document.received' : 'document.ocr_completed';
  const age = (history - number) * SECOND_MS;
  return documentEvent(
    number,
    type,
    documentNumber(Math.floor(number / 2)).id,
    started - NEWEST_AGE_MS - age,
  );
}

/** An event of a document. */
export function documentEvent(
  number: number,
  type: 'document.received' | 'document.ocr_completed',
  documentId: string,
  at: number,
): Schemas['Event'] {
  return {
    id: `evt_${String(number).padStart(8, '0')}`,
    type,
    createdAt: new Date(at).toISOString(),
    companyId: 'company-1',
    subject: { type: 'document', id: documentId },
    data: {},
  };
}

/** A company's month-end work as the API shows it. */
export function companyPeriod(number: number): Schemas['CompanyPeriod'] {
  const companyId = `company-${number}`;
  const obligations = Array.from({ length: OBLIGATIONS }, (_, index) => ({
    id: number * OBLIGATIONS + index,
    companyId,
    period: PERIOD,
    code: `work-${index}`,
    label: `Month-end work ${index} of the company`,
    dueDate: '2026-12-20',
    status: 'todo' as const,
    statusLabel: 'To do',
    assigneeUserId: 'user-1',
    completionSource: null,
    completedAt: null,
    overdue: false,
  }));
  return {
    id: `period-${number}`,
    companyId,
    companyName: `Põhjala Ehitus ${number} OÜ`,
    period: PERIOD,
    primaryAccountantUserId: 'user-1',
    vatPayer: true,
    hasEmployees: true,
    status: 'open',
    counts: { total: OBLIGATIONS, done: 0, open: OBLIGATIONS, overdue: 0, notApplicable: 0 },
    nextDueDate: '2026-12-20',
    obligations,
    documents: { received: 10, inbox: 0, accounting: 10 },
    messages: 0,
  };
}

/** A company's settings as the API shows them. */
export function settingsOf(companyId: string): Schemas['CompanySettings'] {
  const field = (name: Schemas['PolicyField']['field']) => ({
    field: name,
    required: false,
    automatic: false,
    defaultValue: null,
  });
  return {
    companyId,
    export: null,
    accountingPolicy: {
      configured: false,
      fields: [field('warehouse'), field('type'), field('journal'), field('allocation'), field('vatClass')],
    },
    agent: {
      configured: true,
      mcpEnabled: true,
      documentReview: false,
      accountingData: false,
      accountingSystemRead: false,
      accountingSystemWritePolicy: 'disabled',
      tier2ClarificationEnabled: false,
    },
  };
}

/** A company as the API shows it. */
export function company(id: string): Schemas['Company'] {
  return {
    id,
    name: 'Põhjala Ehitus OÜ',
    shortName: null,
    registrationCode: '10000000',
    vatCode: null,
    legalForm: 'OÜ',
    address: null,
    directorName: null,
    vatPeriod: null,
    vatFrom: null,
    vatTo: null,
    employeesFrom: null,
    employeesTo: null,
    serviceStoppedFrom: null,
    serviceStoppedReason: null,
    createdAt: WHEN,
    updatedAt: WHEN,
  };
}

/** An uploaded file as the API shows it. */
export function fileNumber(number: number, filename: string, sizeBytes: number): Schemas['File'] {
  return {
    id: `file_${String(number).padStart(8, '0')}`,
    filename,
    mimeType: 'application/pdf',
    sizeBytes,
    sha256: SHA256,
    createdAt: WHEN,
    expiresAt: '2126-11-27T10:00:00.000Z',
    documentId: null,
  };
}
