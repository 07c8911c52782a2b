/** One entry of `details.issues` of a `VALIDATION_ERROR`. */
export interface Issue {
  path: string;
  message: string;
}

/** What is known of a request that did not succeed. Holds no header and no body of the request. */
export interface AgencyErrorFacts {
  /** HTTP status; absent when no answer came. */
  status?: number;
  /** The API's code (spec: Errors). */
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

type Explain = (facts: AgencyErrorFacts, said: string, origin: string, record?: string) => Explanation;

const names = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'string' ? value : '';

const named = (value: string, words: (value: string) => string, otherwise: string): string =>
  value === '' ? otherwise : words(value);

/** Whether an answer tells an expired key from a wrong one: "is wrong, expired or revoked" does not. */
const saysExpired = (said: string): boolean =>
  /\bexpired\b/i.test(said) && !/,|\bor\b|\b(?:not|missing|wrong|invalid|revoked)\b/i.test(said);

/** One row for each code of the spec's Errors table. */
const EXPLANATIONS: Record<string, Explain> = {
  VALIDATION_ERROR: ({ issues = [] }, said) => ({
    message: `The agency did not accept the request: ${
      issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ') || said
    }`,
    resolution: 'Correct the named fields and run it again. Nothing was changed.',
  }),
  INVALID_CURSOR: () => ({
    message: 'The agency does not accept the cursor.',
    resolution:
      'A cursor works only unchanged and with the filters that it came with. Start again without a cursor.',
  }),
  INVALID_API_KEY: (_, said, origin) => ({
    message: saysExpired(said)
      ? `The API key or access token for ${origin} has expired.`
      : `${origin} does not accept the API key or access token.`,
    resolution: saysExpired(said)
      ? 'Enter a new one into the credential. For workflows that run by themselves, an administrator of the agency makes a key that expires later or never.'
      : 'Open the credential and check both fields: a key works only at the address of its own agency, and not after it was revoked or has expired. An administrator of the agency makes a new key.',
  }),
  INSUFFICIENT_SCOPE: ({ details }) => ({
    message: named(
      names(details?.requiredScopes),
      (scopes) => `The key lacks the scope ${scopes}.`,
      'The key lacks a scope that this needs.',
    ),
    resolution: 'Ask an administrator of the agency to give the access of this key the scope.',
  }),
  COMPANY_ACCESS_DENIED: () => ({
    message: 'The key has no access to this company.',
    resolution:
      'Choose another company, or ask an administrator of the agency to enable this one for the key.',
  }),
  FORBIDDEN: (_, said) => ({
    message: `The agency does not allow this to the key${said === '' ? '.' : `: ${said}`}`,
    resolution: 'Ask an administrator of the agency what the access of this key may do.',
  }),
  FEATURE_NOT_INCLUDED: ({ details }, _, origin) => ({
    message: `The plan of the agency at ${origin} does not include ${names(details?.feature) || 'API and MCP access'}.`,
    resolution: 'Ask an administrator of the agency to add API access to its plan.',
  }),
  APPROVAL_REQUIRED: ({ details }) => ({
    message: named(
      names(details?.approvalUrl),
      (url) => `An administrator of the agency must approve this change first: ${url}`,
      'An administrator of the agency must approve this change first.',
    ),
    resolution: `Nothing was changed yet. Have the link opened and confirmed, then run it again with Approval ID ${
      names(details?.approvalId) || 'of the request'
    }${named(names(details?.expiresAt), (time) => ` before ${time}`, '')}, or set "When Approval Is Needed" to wait for the decision.`,
  }),
  APPROVAL_PENDING: () => ({
    message: 'The approval has not been decided yet.',
    resolution:
      'Nothing was changed. Run it again with the same Approval ID once an administrator has decided.',
  }),
  APPROVAL_REJECTED: () => ({
    message: 'An administrator of the agency has rejected this change.',
    resolution: 'Nothing was changed. To ask again, run it without an Approval ID.',
  }),
  NOT_FOUND: (_, said, __, record) => ({
    message:
      record === undefined
        ? `The agency does not know this record, or the key may not see it${said === '' ? '.' : `: ${said}`}`
        : `The agency does not know the ${record}, or the key may not see it.`,
    resolution: `Check the ID, and that the key has access to the company.${
      record === undefined || record.startsWith('file')
        ? ' A file that no document was made of is deleted after one day.'
        : ''
    }`,
  }),
  METHOD_NOT_ALLOWED: (_, __, origin) => ({
    message: `The agency at ${origin} does not offer this operation.`,
    resolution:
      'Check the Agency Address of the credential, and whether a newer version of this node is installed.',
  }),
  IDEMPOTENCY_KEY_IN_USE: () => ({
    message: 'The same request is still being carried out by the agency.',
    resolution:
      'Wait a minute and run it again: its result will then be returned, and nothing is done twice.',
  }),
  CONFLICT: (_, said) => ({
    message: `The state of the record does not allow this${said === '' ? '.' : `: ${said}`}`,
    resolution:
      'A file becomes one document, and a task takes one result. Read the record to see what it is now.',
  }),
  PRECONDITION_FAILED: () => ({
    message: 'The playbook was changed since it was read.',
    resolution:
      'Nothing was changed. Read it again, put your changes into the new version, and replace that.',
  }),
  PAYLOAD_TOO_LARGE: () => ({
    message: 'The file is larger than the 48 MB that the agency takes.',
    resolution: 'Make the file smaller, e.g. by splitting it or by a lower scan resolution.',
  }),
  UNSUPPORTED_MEDIA_TYPE: (_, said) => ({
    message: `The agency does not take files of this type${said === '' ? '.' : `: ${said}`}`,
    resolution: 'Check the MIME type and the name of the file, or send it as another type of file.',
  }),
  IDEMPOTENCY_KEY_REUSED: () => ({
    message: 'The idempotency key was already used for a different request.',
    resolution: 'Give every write a key of its own, or leave Idempotency Key empty: the node then makes one.',
  }),
  PRECONDITION_REQUIRED: () => ({
    message: 'The version of the playbook that is to be replaced is missing.',
    resolution: 'Read the playbook first and give its version.',
  }),
  RATE_LIMITED: () => ({
    message: 'The agency takes 600 requests a minute, and this key has used them up.',
    resolution:
      'Run it again in a minute. Other workflows and programs with the same key count too; a lower Concurrency in the options helps.',
  }),
  INTERNAL_ERROR: () => ({
    message: 'The agency could not carry out the request because of a fault on its side.',
    resolution: 'Run it again later. If it stays, give the request ID to the support of the agency.',
  }),
  STORAGE_UNAVAILABLE: () => ({
    message: 'The file storage of the agency is not available at the moment.',
    resolution: 'Run it again in a few minutes. What was stored is not stored twice.',
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
      message: `The agency answered ${facts.code}${said === '' ? '.' : `: ${said}`}`,
      resolution: 'See the message of the agency.',
    }
  );
}
