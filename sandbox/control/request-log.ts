/** One request that arrived. */
export interface LoggedRequest {
  method: string;
  path: string;
  query: Record<string, unknown>;
  /** Without `authorization`. */
  headers: Record<string, unknown>;
  bodyLength: number;
  /** Hex SHA-256 of the body; of nothing when there was none, or it was not read. */
  bodySha256: string;
  /** Null: the connection was broken, or the request is still running. */
  status: number | null;
  /** ISO 8601, by the sandbox's clock. */
  time: string;
}

/** How many requests are remembered. */
const SIZE = 20_000;

/** The newest requests to the API. */
export class RequestLog {
  private requests: LoggedRequest[] = [];

  /** Remembers a request; what is learnt later may be written into it. */
  add(request: LoggedRequest): void {
    this.requests.push(request);
    if (this.requests.length > SIZE) this.requests.splice(0, SIZE / 10);
  }

  /** Oldest first. */
  all(): LoggedRequest[] {
    return this.requests;
  }

  clear(): void {
    this.requests = [];
  }
}
