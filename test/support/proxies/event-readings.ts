import type { Reading } from './reading-proxy';
import { inValues, isObject, TIME } from './readings';

/** Changes every time. */
const inTimes = (write: (time: string) => string): Reading =>
  inValues((value) => (typeof value === 'string' && TIME.test(value) ? write(value) : value));

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
