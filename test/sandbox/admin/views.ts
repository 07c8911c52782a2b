import type { AdminView, ApprovalView } from '../../../sandbox/admin/types';

/** An approval whose texts try to be markup. */
export const approval: ApprovalView = {
  id: 'apr_1',
  status: 'pending',
  operationId: 'companySettings.update',
  companyName: 'Kohvik "Õunaaed" <b>& Söhne</b> OÜ',
  reason: 'Changes what the AI agent may do',
  changes: [
    { path: 'agent.mcpEnabled', before: true, after: false },
    { path: 'agent.accountingSystemWritePolicy', before: 'disabled', after: 'requires_approval' },
    { path: 'export', before: null, after: { baseCurrency: 'EUR', companyCountryCode: 'EE' } },
  ],
  path: '/admin/approvals/apr_1',
  requestedBy: 'Month-end automation',
  createdAt: '2026-11-27T15:00:01.250Z',
  expiresAt: '2026-11-28T15:00:01.250Z',
  decidedAt: null,
};

/** The page of an agency that has nothing yet. */
export const emptyView: AdminView = {
  agencyUrl: 'http://127.0.0.1:4010',
  now: '2026-11-27T15:05:00.000Z',
  approvals: [],
  tasks: [],
  keys: [],
  documents: [],
  events: [],
  deliveries: [],
};

/** The page of an agency that has one of everything. */
export const fullView: AdminView = {
  ...emptyView,
  approvals: [approval, { ...approval, id: 'apr_2', path: '/admin/approvals/apr_2', companyName: null }],
  tasks: Array.from({ length: 7 }, (_, index) => ({
    id: `task_${index + 1}`,
    companyName: 'Sõnajalg Puidutööd OÜ',
    instruction: 'Read the document & say what was bought.',
    createdAt: '2026-11-27T14:59:00.000Z',
  })),
  keys: [
    {
      name: 'full',
      scopes: ['companies:read', 'companies:write', 'documents:read', 'documents:write', 'webhooks:manage'],
      companies: 'all',
      state: 'active',
      expiresAt: null,
    },
    {
      name: 'singleCompany',
      scopes: ['companies:read'],
      companies: ['Sõnajalg Puidutööd OÜ'],
      state: 'active',
      expiresAt: '2027-02-25T00:00:00.000Z',
    },
    { name: 'revoked', scopes: ['events:read'], companies: 'all', state: 'revoked', expiresAt: null },
  ],
  documents: [
    {
      id: 'doc_1',
      name: 'Arve 20001, Läänetuul Ehitus OÜ',
      originalFilename: 'Überweisung März.pdf',
      source: 'email',
      stage: 'inbox',
      receivedAt: '2026-11-27T14:59:00.000Z',
      companyName: 'AS "Zelta Ābele transports"',
    },
  ],
  events: [
    {
      id: 'evt_017968',
      type: 'document.ocr_completed',
      createdAt: '2026-11-27T14:59:02.000Z',
      subject: { type: 'document', id: 'doc_1' },
      companyName: 'AS "Zelta Ābele transports"',
    },
  ],
  deliveries: [
    {
      id: 7,
      eventId: 'evt_017968',
      eventType: 'document.ocr_completed',
      status: 'pending',
      attempts: 2,
      nextAttemptAt: '2026-11-27T15:05:02.000Z',
      lastStatusCode: 502,
      lastError: 'The address answered 502 Bad Gateway.',
      createdAt: '2026-11-27T14:59:02.000Z',
      deliveredAt: null,
      endpointUrl: 'https://n8n.example/webhook/0b6f7f6e-3c1b-4d0e-9d55-3e8d6a3d1b11/webhook',
    },
    {
      id: 6,
      eventId: 'evt_017967',
      eventType: 'document.received',
      status: 'failed',
      attempts: 8,
      nextAttemptAt: null,
      lastStatusCode: null,
      lastError: 'No answer within 10 seconds.',
      createdAt: '2026-11-25T14:59:02.000Z',
      deliveredAt: null,
      endpointUrl: 'https://n8n.example/webhook/other',
    },
  ],
};
