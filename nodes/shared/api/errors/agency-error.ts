import { isRecord } from '../../values/json';
import { DOCS } from '../../docs';
import {
  type AgencyErrorFacts,
  type Explanation,
  explanation,
  type Issue,
  isWord,
  withLink,
  WITHOUT_REPEATS,
} from './error-messages';
import { type ConnectionFault, isTransient } from './network-errors';

/** Of what an agency says, so much can be read. */
const LONGEST_MESSAGE = 2000;

/**
 * The agency did not do what was asked.
 * `message` says what happened, `description` what to do next.
 */
export class AgencyError extends Error {
  readonly status?: number;
  readonly code?: string;
  readonly hint?: string;
  readonly issues?: Issue[];
  readonly details?: Record<string, unknown>;
  readonly requestId?: string;

  constructor(
    message: string,
    readonly description: string,
    facts: AgencyErrorFacts = {},
  ) {
    super(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message);
    this.name = 'AgencyError';
    this.status = facts.status;
    this.code = facts.code;
    this.hint = facts.hint;
    this.issues = facts.issues;
    this.details = facts.details;
    this.requestId = facts.requestId;
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Whether a body has the API's error shape: `{ error: { code, message } }` (spec: Errors). */
export function isErrorBody(body: unknown): body is { error: Record<string, unknown> & { code: string } } {
  return isRecord(body) && isRecord(body.error) && text(body.error.code) !== undefined;
}

/** The issues of a validation error, each with the field's path and what is wrong with it; the spec has no form for them. */
function issuesOf(details: Record<string, unknown> | undefined): Issue[] | undefined {
  return Array.isArray(details?.issues) ? details.issues.flatMap(issueOf) : undefined;
}

function issueOf(given: unknown): Issue[] {
  const issue = isRecord(given) ? given : { message: given };
  const path = Array.isArray(issue.path) ? issue.path.filter(isWord).join('.') : text(issue.path);
  const message = text(issue.message);
  if (path === undefined && message === undefined) return [];
  return [{ path: path ?? '', message: message ?? 'is not accepted' }];
}

/**
 * The error of an answer in the API's error shape, with a message and a way out for each code of the spec.
 *
 * @param origin the agency's address, which some messages name
 * @param record what was asked for, in words, e.g. `company "cmp_1"`
 */
export function errorOfAnswer(
  status: number,
  body: { error: Record<string, unknown> & { code: string } },
  requestId: string | undefined,
  origin: string,
  record?: string,
): AgencyError {
  const { error } = body;
  const details = isRecord(error.details) ? error.details : undefined;
  const facts = {
    status,
    code: error.code,
    hint: text(error.hint),
    issues: issuesOf(details),
    details,
    requestId,
  };
  const { message, resolution } = explanation(facts, text(error.message) ?? '', origin, record);
  return new AgencyError(message, resolution, facts);
}

/** The error of an answer that is not the API's: a redirect, a web page, anything in another shape. */
export function errorOfForeignAnswer(
  status: number,
  location: string | undefined,
  requestId: string | undefined,
  origin: string,
): AgencyError {
  const facts = { status, requestId };
  const { message, resolution } = foreignAnswer(status, location, origin);
  return new AgencyError(message, resolution, facts);
}

/** What the status of an answer says when nothing else does: it comes from a server or proxy before the agency. */
function foreignAnswer(status: number, location: string | undefined, origin: string): Explanation {
  if (isTransient(status)) {
    return {
      message:
        status === 429
          ? `${origin} received too many requests.`
          : `The agency at ${origin} is not available at the moment.`,
      resolution: `Try again in a few minutes. ${WITHOUT_REPEATS} If that does not help, check the Agency Address of the credential, and ask whoever runs the server or a proxy in between.`,
    };
  }
  if (status === 413) {
    return {
      message: `${origin} does not accept requests of this size.`,
      resolution:
        'Make the file smaller, or ask whoever runs the server or a proxy in between to accept files of up to 48 MB.',
    };
  }
  return {
    message:
      location !== undefined && status >= 300 && status < 400
        ? `${origin} answered with a redirect to ${withoutQuery(location, origin)}, which is not followed.`
        : `${origin} returned a response that is not from the agency's API.`,
    resolution:
      'Check the Agency Address of the credential: it must be the address of the agency itself. A proxy or login page in between must let the API through.',
  };
}

/** An address without what may be a secret in it, such as the signature of a signed address. */
function withoutQuery(location: string, origin: string): string {
  const target = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  return target === undefined || target.origin === 'null'
    ? 'another address'
    : `${target.origin}${target.pathname}`;
}

/** The error of a request that got no answer. */
export function errorOfSilence({ reason, code, hint = '' }: ConnectionFault, origin: string): AgencyError {
  return new AgencyError(
    `The agency at ${origin} could not be reached: ${reason}.`,
    `Check the Agency Address of the credential and the network between n8n and the agency, then try again. ${WITHOUT_REPEATS} ${hint}`.trim(),
    { code },
  );
}

/** The error of a write whose answer is not the agency's, although its status says that it was done. */
export function errorOfUnknownOutcome(
  status: number,
  requestId: string | undefined,
  origin: string,
): AgencyError {
  const facts = { status, requestId };
  const resolution = withLink(
    'Check at the agency, or use "Retry execution" within 24 hours: nothing is done twice. If that does not help, check the Agency Address of the credential, and that no proxy or login page changes what the agency returns. More about retries',
    DOCS.nothingTwice,
  );
  return new AgencyError(
    `${origin} returned a response that is not from the agency's API, so it is not known whether this was done.`,
    resolution,
    facts,
  );
}

/** Whether the API itself says that it does not know a record; a proxy's or another server's 404 does not count. */
export function isNotFound(thrown: unknown): boolean {
  return thrown instanceof AgencyError && thrown.status === 404 && thrown.code === 'NOT_FOUND';
}

/** Whether the agency did nothing, since it accepts no more requests for now (spec: Rate limits). */
export function isRateLimited(thrown: unknown): boolean {
  return thrown instanceof AgencyError && thrown.status === 429;
}

/** Whether the API no longer accepts a position in a list, or made it for another key or filter. */
export function isInvalidCursor(thrown: unknown): boolean {
  return thrown instanceof AgencyError && thrown.code === 'INVALID_CURSOR';
}
