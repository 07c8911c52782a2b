import type { ErrorCode, ErrorDetails, Issue, Scope } from '../records';

/** The HTTP status of each code (API specification, Errors). Invalid bodies answer 422 instead of 400. */
export const STATUS: Record<ErrorCode, number> = {
  VALIDATION_ERROR: 400,
  INVALID_CURSOR: 400,
  INVALID_API_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  COMPANY_ACCESS_DENIED: 403,
  FORBIDDEN: 403,
  FEATURE_NOT_INCLUDED: 403,
  APPROVAL_REQUIRED: 403,
  APPROVAL_PENDING: 403,
  APPROVAL_REJECTED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_KEY_IN_USE: 409,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRECONDITION_REQUIRED: 428,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  STORAGE_UNAVAILABLE: 503,
};

interface More {
  hint?: string;
  details?: ErrorDetails;
  /** Another status than the code's usual one. */
  status?: number;
  headers?: Record<string, string>;
}

/** An answer in the API's error shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    private readonly more: More = {},
  ) {
    super(message);
    this.status = more.status ?? STATUS[code];
    this.headers = more.headers ?? {};
  }

  /** The response body. */
  body() {
    const { hint, details } = this.more;
    return {
      error: { code: this.code, message: this.message, ...(hint && { hint }), ...(details && { details }) },
    };
  }
}

/** A record that does not exist, or that the key may not see: the answer is the same. */
export const notFound = (what: string) =>
  new ApiError('NOT_FOUND', `This ${what} does not exist, or the key has no access to it.`);

/** A company out of reach of the key. */
export const companyDenied = () =>
  new ApiError('COMPANY_ACCESS_DENIED', 'The key has no access to this company.', {
    hint: 'Ask an agency administrator to enable the company for this access.',
  });

/** A request that does not keep to the contract, with each place of it. */
export const invalid = (issues: Issue[], status: 400 | 422 = 400) =>
  new ApiError('VALIDATION_ERROR', 'The request is not valid.', {
    status,
    hint: 'See details.issues for each value that is not valid.',
    details: { issues },
  });

/** A key without the scope of an operation. */
export const missingScope = (scope: Scope) =>
  new ApiError('INSUFFICIENT_SCOPE', `The key lacks the scope ${scope}.`, {
    hint: 'Ask an agency administrator to add the scope to this access.',
    details: { requiredScopes: [scope] },
  });

/** A body over its limit. */
export const tooLarge = (what: string) => new ApiError('PAYLOAD_TOO_LARGE', `${what} is too large.`);
