import { html, type Html } from './html';
import { EVENT_LABELS } from './labels';
import {
  badge,
  changesTable,
  type Column,
  copyable,
  decisionForm,
  moment,
  named,
  page,
  shortList,
  table,
  type Tone,
} from './parts';
import type {
  AdminView,
  ApprovalView,
  DeliveryView,
  DocumentView,
  EventView,
  KeyView,
  TaskView,
} from './types';

/** The page `/admin`: what waits for a person, and what happened last. */
export function adminPage(view: AdminView): string {
  const keys = listOf('keys', 'Keys', KEYS, view.keys, 'No keys.');
  const sections: Section[] = [
    { id: 'approvals', title: 'Pending approvals', body: approvals(view.approvals) },
    listOf('tasks', 'Open tasks', TASKS, view.tasks, 'No open tasks.'),
    {
      ...keys,
      body: html`<p>
          Click a key to select it, then copy it to the credential in n8n. The keys are made up, and work only
          with the sandbox.
        </p>
        ${keys.body}`,
    },
    listOf('documents', 'Newest documents', DOCUMENTS, view.documents, 'No documents yet.'),
    listOf('events', 'Newest events', EVENTS, view.events, 'No events yet.'),
    listOf('deliveries', 'Webhook deliveries', DELIVERIES, view.deliveries, 'No webhook deliveries yet.'),
  ];
  return page({
    title: 'Accounting agency sandbox',
    subtitle: html`Agency address ${copyable(view.agencyUrl)} · sandbox time ${moment(view.now)}`,
    navigation: html`${sections.map(({ id, title }) => html`<a href="${`#${id}`}">${title}</a> `)}`,
    content: html`${sections.map(
      ({ id, title, body }) =>
        html`<section aria-labelledby="${id}">
          <h2 id="${id}">${title}</h2>
          ${body}
        </section>`,
    )}`,
  });
}

interface Section {
  id: string;
  title: string;
  body: Html;
}

const listOf = <T>(
  id: string,
  title: string,
  columns: Array<Column<T>>,
  rows: readonly T[],
  empty: string,
): Section => ({
  id,
  title,
  body: rows.length === 0 ? html`<p>${empty}</p>` : shortList(rows, (some) => table(title, columns, some)),
});

const approvals = (pending: readonly ApprovalView[]): Html =>
  pending.length === 0
    ? html`<p>No pending approvals.</p>`
    : shortList(pending, (some) => html`${some.map(pendingApproval)}`);

/** A change with its buttons first, as that is what the person came for. */
const pendingApproval = (approval: ApprovalView): Html =>
  html`<article aria-labelledby="${`title-${approval.id}`}">
    <h3 id="${`title-${approval.id}`}">
      <a href="${approval.path}">${approval.companyName ?? 'The whole agency'}: ${approval.reason}</a>
    </h3>
    ${changesTable(approval.changes)} ${decisionForm(approval)}
    <p>
      Requested by <em>${approval.requestedBy}</em> on ${moment(approval.createdAt)}. Valid until
      ${moment(approval.expiresAt)}.
    </p>
  </article>`;

const KEY_TONES: Record<KeyView['state'], Tone> = { active: 'good', expired: 'plain', revoked: 'bad' };

const KEYS: Array<Column<KeyView>> = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Key', long: true, cell: ({ value }) => (value === null ? '–' : copyable(value)) },
  { label: 'State', cell: ({ state }) => badge(state, KEY_TONES[state]) },
  {
    label: 'Scopes',
    cell: ({ scopes }) => (scopes === 'all' ? 'all' : html`<code>${scopes.join(' ')}</code>`),
  },
  {
    label: 'Companies',
    long: true,
    cell: ({ companies }) => (companies === 'all' ? 'all' : companies.join(', ')),
  },
  {
    label: 'Valid until',
    cell: ({ expiresAt }) => (expiresAt === null ? 'never expires' : moment(expiresAt)),
  },
];

const TASKS: Array<Column<TaskView>> = [
  { label: 'ID', cell: ({ id }) => copyable(id) },
  { label: 'Company', long: true, cell: ({ companyName }) => companyName ?? '–' },
  { label: 'Instruction', long: true, cell: ({ instruction }) => instruction },
  { label: 'Created', cell: ({ createdAt }) => moment(createdAt) },
];

const DOCUMENTS: Array<Column<DocumentView>> = [
  { label: 'Received', cell: ({ receivedAt }) => moment(receivedAt) },
  { label: 'Name', long: true, cell: ({ name }) => name },
  { label: 'Company', long: true, cell: ({ companyName }) => companyName ?? '–' },
  { label: 'File', long: true, cell: ({ originalFilename }) => originalFilename },
  { label: 'Source', cell: ({ source }) => source },
  { label: 'Stage', cell: ({ stage }) => badge(stage, stage === 'error' ? 'bad' : 'plain') },
];

const EVENTS: Array<Column<EventView>> = [
  { label: 'Time', cell: ({ createdAt }) => moment(createdAt) },
  { label: 'Event', cell: ({ type }) => named(EVENT_LABELS, type) },
  { label: 'Company', long: true, cell: ({ companyName }) => companyName ?? '–' },
  { label: 'Subject', cell: ({ subject }) => html`${subject.type} ${copyable(subject.id)}` },
  { label: 'ID', cell: ({ id }) => copyable(id) },
];

const DELIVERY_TONES: Record<DeliveryView['status'], Tone> = {
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
};

const DELIVERIES: Array<Column<DeliveryView>> = [
  { label: 'Created', cell: ({ createdAt }) => moment(createdAt) },
  {
    label: 'Event',
    cell: ({ eventType, eventId }) => html`${named(EVENT_LABELS, eventType)} ${copyable(eventId)}`,
  },
  { label: 'Address', long: true, cell: ({ endpointUrl }) => endpointUrl },
  { label: 'Status', cell: ({ status }) => badge(status, DELIVERY_TONES[status]) },
  { label: 'Attempts', cell: ({ attempts }) => attempts },
  { label: 'Next attempt', cell: ({ nextAttemptAt }) => moment(nextAttemptAt) },
  {
    label: 'Response',
    long: true,
    cell: ({ lastStatusCode, lastError }) =>
      html`${lastStatusCode ?? '–'} ${lastError === null ? null : html`<span class="bad">${lastError}</span>`}`,
  },
];
