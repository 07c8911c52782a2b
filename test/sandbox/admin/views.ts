import type { AdminView, ApprovalView } from '../../../sandbox/admin/types';

const NOW = '2026-11-27T15:05:02.250Z';

/** An approval whose texts from outside are all this one. */
export const approvalOf = (text: string): ApprovalView => ({
  id: text,
  status: 'pending',
  operationId: text,
  companyName: text,
  reason: text,
  changes: [
    { path: text, before: true, after: { [text]: [text] } },
    { path: 'export', before: null, after: false },
  ],
  path: `/admin/approvals/${text}`,
  requestedBy: text,
  createdAt: NOW,
  expiresAt: NOW,
  decidedAt: null,
});

/** The page of an agency that has nothing yet. */
export const EMPTY: AdminView = {
  agencyUrl: 'http://127.0.0.1:4010',
  now: NOW,
  approvals: [],
  tasks: [],
  keys: [],
  documents: [],
  events: [],
  deliveries: [],
};

/** The page of an agency that has something of everything, and whose texts from outside are all this one. */
export const viewOf = (text: string): AdminView => {
  const ofCompany = { id: text, companyName: text, createdAt: NOW };
  const sent = { eventId: text, eventType: 'company.updated', createdAt: NOW, endpointUrl: text } as const;
  const failed = { status: 'failed', attempts: 8, nextAttemptAt: null, deliveredAt: null } as const;
  const key = {
    name: text,
    value: text,
    expiresAt: null,
    scopes: ['companies:read', 'companies:write'] as const,
  };
  return {
    ...EMPTY,
    agencyUrl: text,
    approvals: [approvalOf(text), { ...approvalOf(text), companyName: null }],
    tasks: Array.from({ length: 7 }, (_, index) => ({
      ...ofCompany,
      id: `task_${index + 1}`,
      instruction: text,
    })),
    keys: [
      { ...key, scopes: 'all', companies: 'all', state: 'active' },
      { ...key, value: null, scopes: [...key.scopes], companies: [text], state: 'revoked', expiresAt: NOW },
    ],
    documents: [
      {
        ...ofCompany,
        name: text,
        originalFilename: text,
        source: text,
        stage: 'inbox',
        receivedAt: NOW,
      },
    ],
    events: [{ ...ofCompany, type: 'document.ocr_completed', subject: { type: text, id: text } }],
    deliveries: [
      { ...sent, ...failed, id: 7, lastStatusCode: 502, lastError: text },
      { ...sent, ...failed, id: 6, lastStatusCode: null, lastError: null },
    ],
  };
};
