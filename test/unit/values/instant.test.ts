import { Settings } from 'luxon';
import { instantOf, isTime } from '../../../nodes/shared/values/instant';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 0, 0);

beforeAll(() => (Settings.defaultZone = 'America/New_York'));
afterAll(() => (Settings.defaultZone = 'system'));

test.each([
  '2026-11-30T12:00:00.000Z',
  '2026-11-30T12:00:00Z',
  '2026-11-30T12:00:00.000000Z',
  '2026-11-30T14:00:00+02:00',
  '2026-11-30T14:00:00.000+02:00',
  '2026-11-30T12:00:00,000Z',
  '2026-11-30T12:00Z',
  '2026-11-30T12:00:00',
  '2026-11-30T12:00:00.000',
  '20261130T120000Z',
  '20261130T140000.000+0200',
  '2026-W49-1T12:00:00Z',
  '2026-334T12:00:00Z',
])('%s is that instant, wherever it is read', (text) => {
  expect(instantOf(text)).toBe(NOON);
  expect(isTime(text)).toBe(true);
});

test.each([undefined, null, 1_796_040_000_000, '', 'noon', 'Mon, 30 Nov 2026 12:00:00 GMT', {}])(
  '%j is no time',
  (value) => {
    expect(instantOf(value)).toBeNaN();
    expect(isTime(value)).toBe(false);
  },
);
