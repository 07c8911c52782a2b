import { AgencyError, withFacts } from '../../shared/api/errors';
import type { Answer, Call } from '../../shared/api/routes';
import { systemClock, waitUntil } from '../../shared/api/wait';
import { nameOf } from '../../shared/node-name';
import { approvalSettings } from '../fields/approval';
import { AskedApprovals, type GuardedRoute, type KnownApproval } from './approval-memory';
import type { Item } from './item';

/** What became of a change that may need an approval. */
export type Guarded = { body: Answer<GuardedRoute> } | { approval: KnownApproval };

/** An answer that asks for an approval, or still waits for its decision. */
interface Refusal {
  error: AgencyError;
  approval: KnownApproval;
}

/**
 * Sends a change that an administrator may have to approve, and does what the item's fields say when that is so:
 * stops with the link, gives the approval, or repeats the same request until it is decided.
 *
 * The approval is remembered, so that "Retry On Fail" and "Retry execution" go on with it instead of asking anew.
 *
 * @throws AgencyError also when the change is rejected, or the approval no longer counts
 */
export async function sendGuarded(item: Item, call: Call<GuardedRoute>): Promise<Guarded> {
  const { mode, everyMs, longestMs, approvalId: given } = approvalSettings(item);
  const asked = new AskedApprovals(item, call);
  const until = systemClock.now() + longestMs;
  let isTold = false;
  for (let known = given === undefined ? asked.get() : { approvalId: given }; ;) {
    const outcome = await attempt(item, call, known).catch((thrown: unknown) => {
      if (given !== undefined || known === undefined || !isRejection(thrown)) throw thrown;
      asked.reject(known);
      throw rejected(thrown);
    });
    if ('body' in outcome) return outcome;
    const { approval } = outcome;
    asked.keep(approval);
    if (mode === 'output') return { approval };
    if (known !== undefined && known.approvalId !== approval.approvalId) {
      throw outdated(outcome, known.approvalId);
    }
    if (mode === 'stop') throw known === undefined ? outcome.error : undecided(outcome, 'yet');
    if (systemClock.now() >= until) throw undecided(outcome, within(longestMs / 60_000));
    if (!isTold) noteWaiting(item, approval);
    isTold = true;
    known = approval;
    // When the execution is cancelled meanwhile, the next request says so.
    const next = Math.min(systemClock.now() + everyMs, until);
    await item.giveWay(async (signal) => await waitUntil(next, systemClock, signal));
  }
}

/** Nothing else of n8n shows the link while the node waits. */
function noteWaiting({ node, index }: Item, { approvalId, approvalUrl }: KnownApproval): void {
  node.logger.info(
    `${nameOf(node)} waits with item ${index} until an administrator has decided: ${approvalUrl ?? approvalId}`,
  );
}

const within = (minutes: number): string => `within ${minutes} minute${minutes === 1 ? '' : 's'}`;

async function attempt(
  item: Item,
  call: Call<GuardedRoute>,
  known: KnownApproval | undefined,
): Promise<{ body: Answer<GuardedRoute> } | Refusal> {
  const header = { 'Approval-Id': known?.approvalId };
  return await item.request('PATCH /companies/{id}/settings', { ...call, header }).then(
    ({ body }) => ({ body }),
    (thrown: unknown) => refusalOf(thrown, known),
  );
}

/** Reads an answer that asks for an approval or waits for its decision, and throws on every other. */
function refusalOf(thrown: unknown, known: KnownApproval | undefined): Refusal {
  if (!(thrown instanceof AgencyError)) throw thrown;
  const { code, details = {} } = thrown;
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : undefined);
  const approvalId = text('approvalId') ?? known?.approvalId;
  if ((code !== 'APPROVAL_REQUIRED' && code !== 'APPROVAL_PENDING') || approvalId === undefined) throw thrown;
  const before = known?.approvalId === approvalId ? known : undefined;
  const approval = {
    approvalId,
    approvalUrl: text('approvalUrl') ?? before?.approvalUrl,
    expiresAt: text('expiresAt') ?? before?.expiresAt,
    reason: text('reason') ?? before?.reason,
  };
  return { error: thrown, approval };
}

const isRejection = (thrown: unknown): thrown is AgencyError =>
  thrown instanceof AgencyError && thrown.code === 'APPROVAL_REJECTED';

/** The approval was asked for by the node itself, so there is no Approval ID to remove. */
function rejected(error: AgencyError): AgencyError {
  const resolution = 'Nothing was changed. To ask again, run this again or retry the execution.';
  return new AgencyError(error.message, withFacts(resolution, error), error);
}

function outdated({ error, approval: { approvalId, approvalUrl } }: Refusal, before: string): AgencyError {
  return new AgencyError(
    `The approval ${before} is no longer valid for this change. An administrator must approve it again: ${approvalUrl ?? approvalId}`,
    withFacts(
      `An approval is valid once, for one day, and for exactly the change that it was requested for. Nothing was changed. Have the new link confirmed, then run this again with Approval ID ${approvalId}.`,
      error,
    ),
    error,
  );
}

function undecided(
  { error, approval: { approvalId, approvalUrl, expiresAt } }: Refusal,
  when: string,
): AgencyError {
  return new AgencyError(
    `No administrator of the agency has decided ${when}: ${approvalUrl ?? approvalId}`,
    withFacts(
      `Nothing was changed. The change can still be approved${
        expiresAt === undefined ? '' : ` until ${expiresAt}`
      }; then run this again with Approval ID ${approvalId}.`,
      error,
    ),
    error,
  );
}
