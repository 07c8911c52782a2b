import { DOCS } from '../../docs';

/** One entry of `details.issues` of a `VALIDATION_ERROR`. */
export interface Issue {
  path: string;
  message: string;
}

/** What is known of a request that did not succeed. Holds no header and no body of the request. */
export interface AgencyErrorFacts {
  /** HTTP status; absent when no answer came. */
  status?: number;
  /** The API's code (spec: Errors), or the network's when no answer came. */
  code?: string;
  hint?: string;
  issues?: Issue[];
  /** `details` of the API's error, as sent. */
  details?: Record<string, unknown>;
  /** The header `X-Request-Id`. */
  requestId?: string;
}

/** What a code means to the user, and what to do about it. */
export interface Explanation {
  message: string;
  resolution: string;
}

/** Whether a value can be shown as it is. */
export function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

type Explain = (facts: AgencyErrorFacts, said: string, origin: string, record?: string) => Explanation;

const names = (value: unknown): string => [value].flat().filter(isWord).join(', ');

const named = (value: string, words: (value: string) => string, otherwise: string): string =>
  value === '' ? otherwise : words(value);

/**
 * A sentence, and the link that it is about on a line of its own, if there is one.
 *
 * @param sentence without its period
 * @param next what is said after it
 */
export const withLink = (sentence: string, link: string | undefined, next = ''): string =>
  (link ? `${sentence}:\n${link}\n${next}` : `${sentence}. ${next}`).trim();

/** A new execution has other idempotency keys; only what n8n itself tries again has the same. */
export const WITHOUT_REPEATS = 'With "Retry execution", nothing is done twice.';

/** How a change is made after its approval. */
export const againWith = (approvalId: string): string =>
  `run this again with the option Approval ID set to ${approvalId}.`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The message of a record that is not there for the key. @param record in words, e.g. `company "cmp_1"` */
export const notFound = (record: string): string =>
  `${capitalized(record)} not found, or the key has no access to it.`;

/** Whether an answer tells an expired key from a wrong one: "is wrong, expired or revoked" does not. */
const saysExpired = (said: string): boolean =>
  /\bexpired\b/i.test(said) && !/,|\bor\b|\b(?:not|missing|wrong|invalid|revoked)\b/i.test(said);

/** One row for each code of the spec's Errors table. */
const EXPLANATIONS: Record<string, Explain> = {
  VALIDATION_ERROR: ({ issues = [] }, said) => ({
    message: `The agency did not accept the request: ${
      issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ') || said
    }`,
    resolution: 'Correct these fields and run it again. Nothing was changed.',
  }),
  INVALID_CURSOR: () => ({
    message: 'The agency does not accept this position in the list.',
    resolution:
      'A position works only if it is unchanged and used with the same filters. Start again from the beginning (for events, with Continue From empty).',
  }),
  INVALID_API_KEY: (_, said, origin) => ({
    message: saysExpired(said)
      ? `The API key or access token for ${origin} has expired.`
      : `${origin} does not accept the API key or access token.`,
    resolution: saysExpired(said)
      ? 'Enter a new one in the credential. Ask an administrator of the agency for a key that expires later or never.'
      : 'Check both fields of the credential. The key may be mistyped, revoked or expired, or belong to another agency. An administrator of the agency can create a new key.',
  }),
  INSUFFICIENT_SCOPE: ({ details }) => ({
    message: named(
      names(details?.requiredScopes),
      (scopes) => `The key lacks the scope ${scopes}.`,
      'The key lacks a scope that is needed for this.',
    ),
    resolution: withLink(
      'Ask an administrator of the agency to add the scope to the access of this key. More about scopes',
      DOCS.scopes,
    ),
  }),
  COMPANY_ACCESS_DENIED: () => ({
    message: 'The key has no access to this company.',
    resolution:
      'Select another company, or ask an administrator of the agency to add this one to the access of the key.',
  }),
  FORBIDDEN: (_, said) => ({
    message: `The agency does not allow this with the key${said === '' ? '.' : `: ${said}`}`,
    resolution: 'Ask an administrator of the agency what the access of this key allows.',
  }),
  FEATURE_NOT_INCLUDED: ({ details }, _, origin) => ({
    message: `The plan of the agency at ${origin} does not include ${names(details?.feature) || 'API and MCP access'}.`,
    resolution: 'Ask an administrator of the agency to add API access to its plan.',
  }),
  APPROVAL_REQUIRED: ({ details }) => ({
    message: 'An administrator of the agency must approve this change first.',
    resolution: withLink(
      'Nothing has been changed yet. Ask an administrator to approve it',
      names(details?.approvalUrl),
      withLink(
        `Within one day of the request, ${againWith(
          names(details?.approvalId) || 'that of the request',
        )} Or have the node wait: set "When Approval Is Needed" to "Wait for the Decision". More about approvals`,
        DOCS.approvals,
      ),
    ),
  }),
  APPROVAL_PENDING: () => ({
    message: 'The approval has not been decided yet.',
    resolution:
      'Nothing was changed. Run this again with the same Approval ID when an administrator has decided.',
  }),
  APPROVAL_REJECTED: () => ({
    message: 'An administrator of the agency rejected this change.',
    resolution: 'Nothing was changed. To ask again, run this without an Approval ID.',
  }),
  NOT_FOUND: (_, said, __, record) => ({
    message:
      record === undefined
        ? `Not found, or the key has no access to it${said === '' ? '.' : `: ${said}`}`
        : notFound(record),
    resolution: `Check the ID, and that the key has access to the company.${
      record === undefined || record.startsWith('file')
        ? ' A file that is not filed is deleted after one day.'
        : ''
    }`,
  }),
  METHOD_NOT_ALLOWED: (_, __, origin) => ({
    message: `The agency at ${origin} does not offer this operation.`,
    resolution:
      'Check the Agency Address of the credential, and whether a newer version of this node is available.',
  }),
  IDEMPOTENCY_KEY_IN_USE: () => ({
    message: 'The agency is still working on the same request.',
    resolution: `Wait a minute and try again. ${WITHOUT_REPEATS}`,
  }),
  CONFLICT: (_, said) => ({
    message: `The state of the record does not allow this${said === '' ? '.' : `: ${said}`}`,
    resolution:
      'A file can become only one document, and a task can have only one result. "Get" of File shows the document of a file.',
  }),
  PRECONDITION_FAILED: () => ({
    message: 'The playbook has changed since it was read.',
    resolution:
      'Nothing was changed. For "Append", run it again. For "Replace", get the playbook again, and make your changes in the new version.',
  }),
  PAYLOAD_TOO_LARGE: () => ({
    message: 'The file is larger than the 48 MB that the agency accepts.',
    resolution: 'Make the file smaller: split it, or scan at a lower resolution.',
  }),
  UNSUPPORTED_MEDIA_TYPE: (_, said) => ({
    message: `The agency does not accept files of this type${said === '' ? '.' : `: ${said}`}`,
    resolution: 'Check the MIME type and the name of the file, or convert it to another type.',
  }),
  IDEMPOTENCY_KEY_REUSED: () => ({
    message: 'The idempotency key was already used for a different request.',
    resolution: 'Use a different key for each write, or leave Idempotency Key empty.',
  }),
  PRECONDITION_REQUIRED: () => ({
    message: 'The version of the playbook is missing.',
    resolution: 'Get the playbook first, and use its version.',
  }),
  RATE_LIMITED: () => ({
    message: 'This key has used up its 600 requests for this minute.',
    resolution:
      'Try again in a minute. Other workflows and programs with the same key count too; a lower Concurrency in the options helps.',
  }),
  INTERNAL_ERROR: () => ({
    message: 'The agency has an internal error.',
    resolution: `Try again later. ${WITHOUT_REPEATS} If that does not help, give the agency's support the request ID from the error's details.`,
  }),
  STORAGE_UNAVAILABLE: () => ({
    message: 'The file storage of the agency is not available at the moment.',
    resolution: `Try again in a few minutes. ${WITHOUT_REPEATS}`,
  }),
};

/** The codes of the spec's Errors table, each of which has an explanation. */
export const EXPLAINED_CODES = Object.keys(EXPLANATIONS);

/**
 * The words for a code of the API. A code that this version does not know keeps the API's own message.
 *
 * @param said the message of the API
 * @param origin the agency's address
 * @param record what was asked for, in words, e.g. `company "cmp_1"`
 */
export function explanation(
  facts: AgencyErrorFacts,
  said: string,
  origin: string,
  record?: string,
): Explanation {
  const explain = Object.hasOwn(EXPLANATIONS, facts.code ?? '') ? EXPLANATIONS[facts.code ?? ''] : undefined;
  return (
    explain?.(facts, said, origin, record) ?? {
      message: `The agency returned an error${said === '' ? '.' : `: ${said}`}`,
      resolution:
        "If the message does not help, give the agency's support the request ID from the error's details.",
    }
  );
}
