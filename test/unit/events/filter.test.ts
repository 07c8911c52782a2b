import { checkFilter, type EventFilter, matches } from '../../../nodes/shared/events/filter';
import { anEvent } from '../../support/trigger/signing';

const ALL: EventFilter = { types: ['all'], companies: 'all' };
const type = (name: string) => anEvent({ type: name });

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

test.each<[string, EventFilter, string | undefined]>([
  ['everything', ALL, undefined],
  ['a type and a company', { types: ['task.completed'], companies: ['company_1'] }, undefined],
  ['an unknown type beside all', { ...ALL, types: ['all', 'document.lost'] }, undefined],
  [
    'an unknown type',
    { ...ALL, types: ['task.completed', 'document.lost'] },
    'Events cannot be "document.lost".',
  ],
  ['no type', { ...ALL, types: [] }, 'Events is empty.'],
  ['no company', { ...ALL, companies: [] }, 'Selected Companies is empty.'],
  ['a row without a company', { ...ALL, companies: ['company_1', ''] }, 'Selected Companies 2 is empty.'],
])('a filter of %s is checked', (_, filter, message) => {
  const check = () => checkFilter(filter);
  if (message === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(message);
});
