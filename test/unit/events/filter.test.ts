import { checkFilter, type EventFilter, eventFilter, matches } from '../../../nodes/shared/events/filter';
import { anEvent } from '../../support/trigger/signing';

const ALL: EventFilter = { types: ['all'], companies: 'all' };
const type = (name: string) => anEvent({ type: name });

/** A trigger whose parameters have these values; one without a value is not in the workflow. */
const triggerWith = (values: Record<string, unknown>) =>
  Object.assign(Object.create(null), {
    getNodeParameter: (name: string, otherwise: unknown) => values[name] ?? otherwise,
  });

test.each<[string, Record<string, unknown>, EventFilter]>([
  ['has no parameters', {}, ALL],
  ['has events that are no list', { events: 'task.completed' }, { ...ALL, types: [] }],
  ['has an event that is no text', { events: ['all', 7] }, ALL],
  [
    'chose companies that are no list',
    { companies: 'selected', 'companyList.values': 'x' },
    { ...ALL, companies: [] },
  ],
  ['chose companies, and added none', { companies: 'selected' }, { ...ALL, companies: [] }],
  [
    'chose companies, and left rows empty',
    {
      companies: 'selected',
      'companyList.values': [
        { company: { value: ' a ' } },
        { company: 'b' },
        { company: { value: 7 } },
        {},
        null,
      ],
    },
    { ...ALL, companies: ['a', 'b', '', '', ''] },
  ],
])('the filter of a trigger that %s', (_, values, filter) => {
  expect(eventFilter(triggerWith(values))).toEqual(filter);
});

describe('the events that pass', () => {
  test('are all but the test event with All Events, unknown types included', () => {
    expect(matches(anEvent(), ALL)).toBe(true);
    expect(matches(type('invoice.paid'), ALL)).toBe(true);
    expect(matches(type('webhook.test'), ALL)).toBe(false);
    expect(matches(type('webhook.test'), { ...ALL, types: ['all', 'webhook.test'] })).toBe(true);
  });

  test('are the selected types only', () => {
    const filter = { ...ALL, types: ['task.completed', 'webhook.test'] };
    expect(matches(type('task.completed'), filter)).toBe(true);
    expect(matches(type('webhook.test'), filter)).toBe(true);
    expect(matches(anEvent(), filter)).toBe(false);
    expect(matches(type('invoice.paid'), filter)).toBe(false);
    expect(matches(anEvent(), { ...ALL, types: [] })).toBe(false);
  });

  test('are those of the selected companies, and a selected test event, which has none', () => {
    const filter = { ...ALL, companies: ['company_1', 'company_2'] };
    expect(matches(anEvent(), filter)).toBe(true);
    expect(matches(anEvent({ companyId: 'company_3' }), filter)).toBe(false);
    expect(matches(anEvent({ companyId: null }), filter)).toBe(false);
    const test = anEvent({ type: 'webhook.test', companyId: null });
    expect(matches(test, { ...filter, types: ['webhook.test'] })).toBe(true);
  });
});

test.each<[string, EventFilter]>([
  ['everything', ALL],
  ['a type and a company', { types: ['task.completed'], companies: ['company_1'] }],
  ['an unknown type beside all', { ...ALL, types: ['all', 'document.lost'] }],
])('a filter of %s is taken', (_, filter) => expect(() => checkFilter(filter)).not.toThrow());

test.each<[string, Partial<EventFilter>, string, string]>([
  [
    'an unknown type',
    { types: ['task.completed', 'document.lost'] },
    'Events cannot be "document.lost".',
    'Use one of: document.received, ',
  ],
  ['no type', { types: [] }, 'Events is empty.', 'Select at least one event.'],
  [
    'no company',
    { companies: [] },
    'Selected Companies is empty.',
    'Add a company, or set Companies to all.',
  ],
  [
    'a first row without a company',
    { companies: ['', 'company_1'] },
    'Selected Companies 1 is empty.',
    'Select a company, or remove it.',
  ],
  [
    'another row without a company',
    { companies: ['company_1', ''] },
    'Selected Companies 2 is empty.',
    'Select a company, or remove it.',
  ],
])('a filter of %s is refused with the way out', (_, part, message, description) => {
  expect(() => checkFilter({ ...ALL, ...part })).toThrow(
    expect.objectContaining({ message, description: expect.stringContaining(description) }),
  );
});
