import { STATUS } from '../server/errors';
import { FAULTS } from './faults';
import { SCOPES } from '../access/scopes';
import { RECORD_EVENTS } from './past-events';
import { LONGEST_TIMER } from '../time/schedule';

/** Ten years, the longest that the clock moves at a time, and the furthest back that an event is put. */
const LONGEST_SECONDS = 10 * 366 * 24 * 60 * 60;

const text = { type: 'string', minLength: 1 };

const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** JSON Schemas of the bodies that the control routes take. */
export const CONTROL_BODIES = {
  reset: object({}),
  clock: object({ advanceSeconds: { type: 'number', minimum: 0, maximum: LONGEST_SECONDS } }),
  plan: object({ apiAccess: { type: 'boolean' } }),
  keys: object({
    scopes: { type: 'array', items: { enum: SCOPES } },
    companies: { anyOf: [{ const: 'all' }, { type: 'array', items: text }] },
  }),
  documents: object({
    companyId: text,
    source: text,
    filename: text,
    contentBase64: { type: 'string', pattern: '^[A-Za-z0-9+/_\\s-]*={0,2}\\s*$' },
  }),
  obligation: object(
    {
      status: { enum: ['todo', 'in_progress', 'waiting', 'done', 'not_applicable'] },
      assigneeUserId: { type: ['string', 'null'] },
    },
    [],
  ),
  events: object(
    {
      count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      type: { enum: RECORD_EVENTS },
      companyId: text,
      over: { type: 'number', minimum: 0, maximum: LONGEST_SECONDS },
    },
    ['count'],
  ),
  decision: object({ decision: { enum: ['approved', 'rejected'] } }),
  faults: {
    type: 'array',
    items: {
      ...object(
        {
          method: text,
          path: text,
          times: { type: 'integer', minimum: 1 },
          fault: { enum: FAULTS },
          status: { type: 'integer', minimum: 200, maximum: 599 },
          code: { enum: Object.keys(STATUS) },
          retryAfter: { type: ['number', 'string'], pattern: '^[\\x20-\\x7e]*$' },
          delayMs: { type: 'number', minimum: 0, maximum: LONGEST_TIMER },
          probability: { type: 'number', minimum: 0, maximum: 1 },
        },
        ['times', 'fault'],
      ),
      if: { properties: { fault: { const: 'delay' } } },
      then: { required: ['delayMs'] },
    },
  },
};
