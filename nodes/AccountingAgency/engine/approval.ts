import { AgencyError } from '../../shared/api/errors/agency-error';
import { againWith, withLink } from '../../shared/api/errors/error-messages';
import type { Answer, Call } from '../../shared/api/routes';
import { systemClock, waitUntil } from '../../shared/api/requests/wait';
import { nameOf } from '../../shared/node-identity';
import { shownDuration, shownTime } from '../../shared/values/dates';
import { onlyDefined, textOrNothing } from '../../shared/values/json';
import { approvalSettings } from '../fields/approval';
import { AskedApprovals, type GuardedRoute, type KnownApproval } from './approval-memory';
import type { Item } from './item';
import type { OutputItem } from './operation';

const PENDING = 'Changes waiting for approval';

type GuardedCall = Call<GuardedRoute>;

/** What became of a change that may need an approval. */
export type Guarded = { body: Answer<GuardedRoute> } | { needed: OutputItem[] };

/** An answer that asks for an approval, or still waits for its decision. */
interface Refusal {
  error: AgencyError;
  approval: KnownApproval;
}

/**
 * Sends a change that an administrator may have to approve, and does what the item's fields say when that is so:
 * stops with the link, gives what to output instead, or repeats the request until it is decided.
 *
 * The approval is remembered, so that "Retry On Fail" and "Retry execution" go on with it instead of asking anew.
 *
 * An approval is for one and the same request (spec: Approval flow), which holds the values that the change keeps, too.
 * What others have changed while the node waited is not overwritten: the change as it would be now is sent, and an
 * approval of the one before does not count for it.
 *
 * @param renew makes the change again, from what the agency has now
 * @throws AgencyError also when the change is rejected, or the approval no longer counts
 */
export async function sendGuarded(
  item: Item,
  first: GuardedCall,
  renew: () => Promise<GuardedCall>,
): Promise<Guarded> {
  const { mode, everyMs, longestMs, approvalId: given } = approvalSettings(item);
  const until = systemClock.now() + longestMs;
  let call = first;
  let asked = new AskedApprovals(item, call);
  let known = given === undefined ? asked.get() : { approvalId: given };
  for (let isTold = false; ; isTold = true) {
    const outcome = await attempt(item, { call, known, asked: given === undefined ? asked : undefined });
    if ('body' in outcome) return outcome;
    const { approval } = outcome;
    asked.keep(approval);
    const needed = { approvalRequired: true, companyId: call.path.id, ...approval };
    if (mode === 'output') {
      item.count(PENDING, 1);
      return { needed: [{ json: needed }] };
    }
    const before = known?.approvalId ?? approval.approvalId;
    const isOther = before !== approval.approvalId;
    if (mode === 'branch' && (given === undefined || !isOther)) {
      item.count(PENDING, 1);
      const { json, binary } = item.input;
      const news = { ...approval, changes: await changesOf(item, call, approval) };
      // What the agency does not say again of the same approval is in the item that has come back.
      const isBack = json.approvalId === approval.approvalId;
      const told = isBack ? onlyDefined(news) : news;
      // As it came, so that it can come back: also its company, which may be a code.
      return { needed: item.handOn({ json: { ...needed, ...json, ...told }, binary }) };
    }
    if (isOther) throw outdated(outcome, before);
    if (mode === 'stop') throw known === undefined ? outcome.error : undecided(item, outcome, 'yet');
    if (systemClock.now() >= until) throw undecided(item, outcome, `within ${shownDuration(longestMs)}`);
    if (!isTold) noteWaiting(item, approval);
    known = approval;
    // When the execution is cancelled meanwhile, the next request says so.
    const next = Math.min(systemClock.now() + everyMs, until);
    await item.giveWay(async (signal) => await waitUntil(next, systemClock, signal));
    call = await renew();
    asked = new AskedApprovals(item, call);
  }
}

/** What is to be approved, by a dry run: the answer that asks for an approval does not tell (spec: Approval flow). */
async function changesOf(item: Item, call: GuardedCall, { approvalId }: KnownApproval) {
  try {
    const query = { dryRun: true };
    const { body } = await item.request('PATCH /companies/{id}/settings', { ...call, query }, approvalId);
    return 'dryRun' in body ? [...body.changes] : undefined;
  } catch {
    // An agency may want an approval for a dry run, too. The link is of more use without the changes than not at all.
    return undefined;
  }
}

/** Nothing else of n8n shows the link while the node waits. */
function noteWaiting({ node, index }: Item, { approvalId, approvalUrl }: KnownApproval): void {
  node.logger.info(
    `${nameOf(node)} is waiting for an administrator to decide on item ${index}: ${approvalUrl ?? approvalId}`,
  );
}

/** A change, the approval that it goes with, and the memory of those that the node itself has asked for. */
interface Attempt {
  call: GuardedCall;
  known?: KnownApproval;
  /** Absent when the user has given the approval. */
  asked?: AskedApprovals;
}

async function attempt(item: Item, sent: Attempt): Promise<{ body: Answer<GuardedRoute> } | Refusal> {
  const header = { 'Approval-Id': sent.known?.approvalId };
  try {
    const { body } = await item.request('PATCH /companies/{id}/settings', { ...sent.call, header });
    return { body };
  } catch (thrown) {
    const refusal = refusalOf(thrown, sent);
    // Without it, the agency asks for a new approval, or says again what else is wrong.
    return refusal ?? (await attempt(item, { ...sent, known: undefined }));
  }
}

/**
 * Reads an answer that asks for an approval or waits for its decision; `undefined` when the approval is forgotten.
 *
 * @throws what was thrown, for every other answer
 */
function refusalOf(thrown: unknown, { known, asked }: Attempt): Refusal | undefined {
  if (!(thrown instanceof AgencyError)) throw thrown;
  const approval = approvalOf(thrown, known);
  if (approval !== undefined) return { error: thrown, approval };
  if (known === undefined || asked === undefined) throw thrown;
  if (thrown.code === 'APPROVAL_REJECTED') {
    asked.reject(known);
    throw rejected(thrown);
  }
  if (!mayBeGone(thrown)) throw thrown;
  asked.forget();
  return undefined;
}

/** The approval that an answer asks for or waits for; `undefined` for every other answer. */
function approvalOf({ code, details = {} }: AgencyError, known?: KnownApproval): KnownApproval | undefined {
  if (code !== 'APPROVAL_REQUIRED' && code !== 'APPROVAL_PENDING') return undefined;
  const approvalId = textOrNothing(details.approvalId) ?? known?.approvalId;
  if (approvalId === undefined) return undefined;
  const before = known?.approvalId === approvalId ? known : undefined;
  return {
    approvalId,
    approvalUrl: textOrNothing(details.approvalUrl) ?? before?.approvalUrl,
    expiresAt: textOrNothing(details.expiresAt) ?? before?.expiresAt,
    reason: textOrNothing(details.reason) ?? before?.reason,
  };
}

/** Whether the agency may no longer know an approval, or may have it for another change; the spec shows no code for it. */
function mayBeGone({ status = 0, code = '' }: AgencyError): boolean {
  const isState = [400, 404, 409, 422].includes(status) || code === 'FORBIDDEN';
  return isState && code !== '' && !code.startsWith('IDEMPOTENCY_KEY');
}

/** The approval was asked for by the node itself, so there is no Approval ID to remove. */
function rejected(error: AgencyError): AgencyError {
  const resolution = 'Nothing was changed. To ask again, run this again or use "Retry execution".';
  return new AgencyError(error.message, resolution, error);
}

function outdated({ error, approval: { approvalId, approvalUrl } }: Refusal, before: string): AgencyError {
  return new AgencyError(
    `The approval ${before} is not valid for this change. An administrator must approve this change.`,
    withLink(
      'An approval is valid once, for one day, and for exactly the change that it was requested for, including the values that stay the same. Nothing was changed. Ask an administrator to approve it with the new link',
      approvalUrl,
      `Then ${againWith(approvalId)}`,
    ),
    error,
  );
}

function undecided(
  { timeZone }: Item,
  { error, approval: { approvalId, approvalUrl, expiresAt } }: Refusal,
  when: string,
): AgencyError {
  return new AgencyError(
    `No administrator of the agency has decided ${when}.`,
    withLink(
      `Nothing was changed. The change can still be approved${
        expiresAt === undefined ? '' : ` until ${shownTime(expiresAt, timeZone)}`
      }`,
      approvalUrl,
      `Then ${againWith(approvalId)}`,
    ),
    error,
  );
}
