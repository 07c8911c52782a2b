import type { Answered } from './forward';
import { type Reading, together } from './reading-proxy';
import { feedWithoutEnd, inValues, isObject, shortPages, TIME } from './readings';

/** Changes every time. */
const inTimes = (write: (time: string) => string): Reading =>
  inValues((value) => (typeof value === 'string' && TIME.test(value) ? write(value) : value));

const NOTHING: Answered = { status: 204, headers: {}, body: Buffer.alloc(0) };

/** Answers a change of an endpoint in another way: what it is answered with is not shown. */
const whenChanged = (change: Partial<Answered>): Reading => ({
  answered: (answer, { method, path }) =>
    method === 'PATCH' && path.startsWith('/webhook-endpoints/') && answer.status < 300
      ? { ...answer, ...change }
      : answer,
});

/** Answers to the change of an endpoint. */
export const CHANGE_READINGS: Record<string, Reading> = {
  'the change of an endpoint is answered with no content': whenChanged(NOTHING),
  'the change of an endpoint is answered with an empty object': whenChanged({ body: Buffer.from('{}') }),
  'the change of an endpoint is answered with a word': whenChanged({ body: Buffer.from('{"status":"ok"}') }),
};

/** What a real agency may do otherwise than the sandbox, of which the triggers alone can notice something. */
export const EVENT_READINGS: Record<string, Reading> = {
  'times are in the basic form of ISO 8601': inTimes((time) => time.replace(/[-:]/g, '')),
  'times have a comma before the fraction': inTimes((time) => time.replace('.', ',')),
  'times have no offset': inTimes((time) => time.replace('Z', '')),
  'events name no company': inValues((value) =>
    isObject(value) && 'subject' in value ? { ...value, companyId: null } : value,
  ),
  'what an event is about has no name': inValues((value, name) =>
    name === 'subject' ? { type: '', id: '' } : value,
  ),
};

/** Several choices at once, for what takes long to try. */
export const MANY_READINGS: Reading = together(
  shortPages,
  feedWithoutEnd,
  inTimes((time) => time.replace(/[-:]/g, '')),
);

/** Answers the test call of an endpoint with nothing. */
export const TEST_WITHOUT_REPORT: Reading = {
  answered: (answer, { path }) => (path.endsWith('/test') ? { ...answer, ...NOTHING } : answer),
};
