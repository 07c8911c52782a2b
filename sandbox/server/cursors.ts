import { createHmac } from 'node:crypto';
import { fingerprint } from '../ids';
import { ApiError } from './errors';

/** What a cursor is bound to: the operation, the access that asks, and the filters (`limit` is none). */
export interface CursorScope {
  operation: string;
  accessId: string;
  filters: Record<string, unknown>;
}

/** Where the next page begins. */
export type Position = (string | number)[];

/** Signed cursors: `<position>.<signature>`, both base64url. */
export class Cursors {
  constructor(private readonly secret: string) {}

  write(scope: CursorScope, position: Position): string {
    const text = Buffer.from(JSON.stringify(position)).toString('base64url');
    return `${text}.${this.sign(scope, text)}`;
  }

  /** @throws ApiError `INVALID_CURSOR` when the cursor was altered, or made for something else. */
  read(scope: CursorScope, cursor: string | undefined): Position | undefined {
    if (cursor === undefined) return undefined;
    const [text = ''] = cursor.split('.');
    // The whole text is compared, since a base64 decoder forgives letters that do not belong.
    if (cursor !== `${text}.${this.sign(scope, text)}`) {
      throw new ApiError('INVALID_CURSOR', 'This cursor was altered, or belongs to other filters.', {
        hint: 'Start again without a cursor.',
      });
    }
    const position: Position = JSON.parse(Buffer.from(text, 'base64url').toString());
    return position;
  }

  private sign(scope: CursorScope, text: string): string {
    const bound = fingerprint([scope.operation, scope.accessId, scope.filters, text]);
    return createHmac('sha256', this.secret).update(bound).digest('base64url').slice(0, 22);
  }
}
