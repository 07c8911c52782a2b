import { html } from './html';
import { OPERATION_LABELS } from './labels';
import { badge, changesTable, copyable, decisionForm, moment, named, page, type Tone } from './parts';
import type { ApprovalView } from './types';

const STATUS: Record<ApprovalView['status'], { text: string; tone: Tone; meaning: string }> = {
  pending: { text: 'Pending', tone: 'wait', meaning: 'Nothing changes until you approve.' },
  approved: {
    text: 'Approved',
    tone: 'good',
    meaning: 'The workflow can make this change once: run it again with the Approval ID.',
  },
  rejected: { text: 'Rejected', tone: 'bad', meaning: 'The change was not made.' },
  used: { text: 'Used', tone: 'plain', meaning: 'The change was made. The approval is used up.' },
  expired: {
    text: 'Expired',
    tone: 'plain',
    meaning: 'An approval is valid for one day. Ask for approval again.',
  },
};

const NAVIGATION = html`<a href="/admin">Back to the overview</a>`;

/** The page of one approval, where it is decided while it is pending. */
export function approvalPage(approval: ApprovalView): string {
  const { text, tone, meaning } = STATUS[approval.status];
  return page({
    title: 'Change that needs approval',
    subtitle: approval.companyName ?? 'The whole agency',
    navigation: NAVIGATION,
    content: html`<article aria-labelledby="${`title-${approval.id}`}">
      <h2 id="${`title-${approval.id}`}">${approval.reason}</h2>
      <p>${badge(text, tone)}. ${meaning}</p>
      ${changesTable(approval.changes)} ${approval.status === 'pending' ? decisionForm(approval) : null}
      <dl>
        <dt>Company</dt>
        <dd>${approval.companyName ?? '–'}</dd>
        <dt>Requested by</dt>
        <dd>${approval.requestedBy}</dd>
        <dt>Operation</dt>
        <dd>${named(OPERATION_LABELS, approval.operationId)}</dd>
        <dt>Approval ID</dt>
        <dd>${copyable(approval.id)}</dd>
        <dt>Requested</dt>
        <dd>${moment(approval.createdAt)}</dd>
        <dt>Valid until</dt>
        <dd>${moment(approval.expiresAt)}</dd>
        <dt>Decided</dt>
        <dd>${moment(approval.decidedAt)}</dd>
      </dl>
    </article>`,
  });
}

/** A page with nothing but a message, for an address that has no approval. */
export const noticePage = (title: string, text: string): string =>
  page({
    title,
    subtitle: 'Accounting agency sandbox',
    navigation: NAVIGATION,
    content: html`<article><p>${text}</p></article>`,
  });
