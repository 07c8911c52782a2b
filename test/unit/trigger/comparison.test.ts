import {
  type Delivery,
  judge,
  type Judgement,
  type Known,
} from '../../../nodes/AccountingAgencyTrigger/recovery/comparison';
import { anEvent } from '../../support/trigger/signing';

const NOON = '2026-11-29T12:00:00.000Z';
const at = (time: string) => Date.parse(`2026-11-29T${time}Z`);

function known(changes: Partial<Known> = {}, delivery?: Partial<Delivery>, showAnswers = false): Known {
  const made: Delivery = {
    status: 'pending',
    attempts: 0,
    lastStatusCode: null,
    deliveredAt: null,
    ...delivery,
  };
  return {
    filter: { types: ['all'], companies: 'all' },
    from: at('00:00:00'),
    endpointSince: at('06:00:00'),
    recentFrom: at('05:00:00'),
    deliveries: { byEvent: new Map(delivery && [['evt_1', made]]), showAnswers },
    takesCalls: true,
    starting: { from: at('09:00:00'), to: at('09:00:10') },
    isHandled: () => false,
    isOverdue: () => false,
    ...changes,
  };
}

const event = (changes: Parameters<typeof anEvent>[0] = {}) =>
  anEvent({ id: 'evt_1', type: 'task.completed', createdAt: NOON, ...changes });

test.each<[string, Partial<Delivery>, Judgement]>([
  ['has arrived', { status: 'succeeded', attempts: 1 }, 'done'],
  ['was given up', { status: 'failed', attempts: 8 }, 'run'],
  ['was given up before it was tried', { status: 'failed', attempts: 0 }, 'run'],
  ['is repeated in minutes or hours', { status: 'pending', attempts: 1 }, 'run'],
  ['is on its way', { status: 'pending', attempts: 0 }, 'wait'],
])('an event that %s', (_, delivery, judgement) => {
  expect(judge(event(), known({}, delivery))).toBe(judgement);
  const overdue = judgement === 'wait' ? 'run' : judgement;
  expect(judge(event(), known({ isOverdue: () => true }, delivery))).toBe(overdue);
});

test.each<[string, Judgement]>([
  ['08:54:59.999', 'done'],
  ['08:55:00', 'run'],
  ['09:00:05', 'run'],
  ['09:05:10', 'run'],
  ['09:05:10.001', 'done'],
])(
  'an event that n8n took at %s by the agency, when it started from 09:00:00 to 09:00:10 by its own clock',
  (time, judgement) => {
    const delivery: Partial<Delivery> = { status: 'succeeded', deliveredAt: `2026-11-29T${time}Z` };
    expect(judge(event(), known({}, delivery))).toBe(judgement);
    expect(judge(event(), known({ isHandled: () => true }, delivery))).toBe('done');
  },
);

test.each<[string, Partial<Delivery>, boolean, Judgement]>([
  [
    'by this node, while n8n started',
    { lastStatusCode: 202, deliveredAt: '2026-11-29T09:00:05Z' },
    true,
    'done',
  ],
  ['by n8n that was starting', { lastStatusCode: 200 }, true, 'run'],
  ['by a proxy', { lastStatusCode: 204 }, true, 'run'],
  ['by somebody, where no answer of this node is kept', { lastStatusCode: 200 }, false, 'done'],
  ['by somebody, of whose answer the agency knows nothing', { lastStatusCode: null }, true, 'done'],
])('an event that was answered %s', (_, delivery, showAnswers, judgement) => {
  expect(judge(event(), known({}, { status: 'succeeded', ...delivery }, showAnswers))).toBe(judgement);
});

test('an event that somebody else answered runs where no call has ever reached this node', () => {
  const answered: Partial<Delivery> = { status: 'succeeded', lastStatusCode: 200 };
  expect(judge(event(), known({ takesCalls: false }, answered))).toBe('run');
  expect(judge(event(), known({ takesCalls: false }, { ...answered, lastStatusCode: null }))).toBe('done');
});

test('an event without a delivery runs at once when it is older than the endpoint, and else after a while', () => {
  expect(judge(event({ createdAt: '2026-11-29T05:59:59Z' }), known())).toBe('run');
  expect(judge(event({ createdAt: '2026-11-29T06:00:00Z' }), known())).toBe('wait');
  expect(judge(event(), known({ isOverdue: () => true }))).toBe('run');
  expect(judge(event(), known({ endpointSince: undefined }))).toBe('run');
});

test('an event without a delivery runs at once when it occurred long ago', () => {
  expect(judge(event(), known({ recentFrom: at('12:00:01') }))).toBe('run');
  expect(judge(event(), known({ recentFrom: at('12:00:00') }))).toBe('wait');
});

test.each<[string, Partial<Known>, Parameters<typeof anEvent>[0]]>([
  ['is older than the window', { from: at('12:00:01') }, {}],
  ['is of another type', { filter: { types: ['company.updated'], companies: 'all' } }, {}],
  ['is of another company', { filter: { types: ['all'], companies: ['company_9'] } }, {}],
  ['was handled', { isHandled: (id) => id === 'evt_1' }, {}],
  ['is a test', { filter: { types: ['webhook.test'], companies: 'all' } }, { type: 'webhook.test' }],
])('an event that %s does not run', (_, changes, of) => {
  expect(judge(event(of), known({ endpointSince: undefined, ...changes }))).toBe('done');
});

test('an event at the first moment of the window runs, and one whose time cannot be read', () => {
  expect(judge(event(), known({ from: at('12:00:00'), endpointSince: undefined }))).toBe('run');
  expect(judge(event({ createdAt: 'yesterday' }), known({ endpointSince: undefined }))).toBe('run');
});
