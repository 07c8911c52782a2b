import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { given, howToGiveOne } from '../../../nodes/shared/values/describe-value';
import {
  calendarDate,
  calendarMonth,
  dateOrDateTime,
  dayOfDate,
  shownDuration,
  shownTime,
} from '../../../nodes/shared/values/dates';

const ZONES = [
  'UTC',
  'Europe/Tallinn',
  'America/New_York',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
];

const zone = fc.constantFrom(...ZONES);
const day = fc
  .date({ min: new Date('1950-01-01T00:00:00Z'), max: new Date('2149-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc
  .integer({ min: 0, max: 86_399 })
  .map((second) => new Date(second * 1000).toISOString().slice(11, 19));

const isMidnight = (moment: DateTime) => moment.toMillis() === moment.startOf('day').toMillis();

test.each([
  '2026-12-15',
  '2026-12-15T00:00:00.000Z',
  '2026-12-15T00:00:00+02:00',
  '2026-12-15T00:00:00+09:00',
  '2026-12-14T22:00:00Z',
  '2026-12-14T22:00:00.000Z',
  '2026-12-15T10:00:00Z',
  '2026-12-15T23:59:59+02:00',
  '2026-12-15T00:00:00',
])('%s is due on December 15 for a workflow in Tallinn', (text) => {
  expect(dayOfDate(text, 'Europe/Tallinn')).toBe('2026-12-15');
});

test('midnight in UTC is that day, with whatever offset it is written', () => {
  expect(dayOfDate('2026-12-15T02:00:00+02:00', 'America/New_York')).toBe('2026-12-15');
});

/** As on a server or in a browser in each of the zones. */
describe.each(ZONES)('On a machine in %s', (machine) => {
  beforeAll(() => (Settings.defaultZone = machine));
  afterAll(() => (Settings.defaultZone = 'system'));

  test('a day without an offset is the day that it shows, whatever the time zone of the workflow', () => {
    fc.assert(
      fc.property(day, time, zone, (date, clock, workflow) => {
        const forms = [
          date,
          ` ${date} `,
          `${date}T00:00:00`,
          `${date}T${clock}`,
          `${date} ${clock.slice(0, 5)}`,
          `${date}T${clock}.123`,
        ];
        expect(new Set(forms.map((form) => calendarDate('VAT Liable Since', form, workflow)))).toEqual(
          new Set([date]),
        );
      }),
    );
  });

  test('a moment that is midnight nowhere is the day that it is in the time zone of the workflow', () => {
    fc.assert(
      fc.property(day, time, zone, zone, (date, clock, workflow, other) => {
        const moment = DateTime.fromISO(`${date}T${clock}`, { zone: other });
        const there = moment.setZone(workflow).toISODate();
        fc.pre(!['utc', other, workflow, 'system'].some((one) => isMidnight(moment.setZone(one))));
        for (const form of [moment, moment.toJSDate(), moment.toISO(), moment.toUTC().toISO()]) {
          expect(calendarDate('VAT Liable Since', form, workflow)).toBe(there);
        }
      }),
    );
  });

  test('midnight in UTC, in the own offset or in the zone of the workflow is that day', () => {
    fc.assert(
      fc.property(day, zone, zone, (date, workflow, other) => {
        const midnight = (place: string) => DateTime.fromISO(date, { zone: place }).startOf('day');
        // Where clocks go forward at midnight, the day begins at one, which is a time like any other elsewhere.
        fc.pre(midnight(other).hour === 0);
        const forms = [
          `${date}T00:00:00.000Z`,
          `${date}T00:00:00Z`,
          new Date(`${date}T00:00:00Z`),
          midnight('utc'),
          midnight(workflow),
          midnight(workflow).toISO(),
          midnight(other),
          midnight(other).toISO(),
        ];
        expect(forms.map((form) => calendarDate('VAT Liable Since', form, workflow))).toEqual(
          forms.map(() => date),
        );
        // As it comes back from a database or from JSON.
        const utc = [midnight(workflow).toUTC().toISO(), midnight(workflow).toJSDate()];
        expect(utc.map((form) => calendarDate('VAT Liable Since', form, workflow))).toEqual(
          utc.map(() => date),
        );
      }),
    );
  });

  test('a bare date stays bare where a time is taken too, and a time leaves with an offset', () => {
    fc.assert(
      fc.property(day, time, zone, (date, clock, workflow) => {
        expect(dateOrDateTime('Received Since', date, workflow)).toBe(date);
        const made = dateOrDateTime('Received Since', `${date}T${clock}`, workflow);
        const meant = DateTime.fromISO(`${date}T${clock}`, { zone: workflow });
        expect(made).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
        expect(DateTime.fromISO(made).toMillis()).toBe(meant.toMillis());
        for (const form of [meant, meant.toJSDate(), meant.toISO()]) {
          const same = dateOrDateTime('Received Since', form, workflow);
          expect(DateTime.fromISO(same).toMillis()).toBe(meant.toMillis());
        }
      }),
    );
  });
});

test.each(['Europe/Tallinn', 'America/New_York', 'Pacific/Auckland'])(
  'the day of the picker leaves as it is in %s',
  (workflow) => {
    expect(calendarDate('VAT Liable Since', '2024-03-31', workflow)).toBe('2024-03-31');
    expect(calendarDate('VAT Liable Since', '2024-03-31T00:00:00', workflow)).toBe('2024-03-31');
  },
);

/** Without one that is a whole day behind another: there the same midnight is of two days, and the workflow decides. */
const SERVERS = ZONES.filter((one) => one !== 'Pacific/Pago_Pago');

test.each(SERVERS)(
  'a JavaScript date that is midnight on a server in %s is that day, whatever the workflow',
  (server) => {
    const dates = ['2024-03-31', '2024-07-01', '2024-12-31'];
    const parts = dates.map((date) => date.split('-').map(Number));
    const script = `
    import { calendarDate } from './nodes/shared/values/dates';
    const zones = ${JSON.stringify(SERVERS)};
    const parts = ${JSON.stringify(parts)};
    const given = parts.map(([year, month, date]) => new Date(year, month - 1, date));
    console.log(JSON.stringify(zones.map((zone) => given.map((one) => calendarDate('VAT Liable Since', one, zone)))));`;
    const said = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module-typescript', '-e', script],
      {
        env: { ...process.env, TZ: server },
      },
    );
    expect(JSON.parse(String(said))).toEqual(SERVERS.map(() => dates));
  },
);

test('days that no calendar has are refused, all others are taken', () => {
  const parts = fc.record({
    year: fc.integer({ min: 1900, max: 2200 }),
    month: fc.integer({ min: 0, max: 13 }),
    date: fc.integer({ min: 0, max: 32 }),
  });
  fc.assert(
    fc.property(parts, ({ year, month, date }) => {
      const text = [year, month, date].map((part) => String(part).padStart(2, '0')).join('-');
      const there = new Date(Date.UTC(year, month - 1, date));
      const real = there.getUTCMonth() === month - 1 && there.getUTCDate() === date;
      const outcome = () => calendarDate('VAT Liable Since', text, 'Europe/Tallinn');
      if (real) expect(outcome()).toBe(text);
      else expect(outcome).toThrow(`VAT Liable Since is not a calendar date: "${text}".`);
    }),
    { numRuns: 500 },
  );
});

test.each([
  '2024-02-30',
  '2023-02-29',
  '2024-02-30T10:00:00',
  '2024-02-30T10:00:00Z',
  '0026-12-31',
  '0001-01-01T00:00:00',
  '1899-12-30T00:00:00.000Z',
  '2024-03-31T24:00:00Z',
  '2024-03-31T10:00+25:00',
  '2024-03-31T10:00+02:60',
  '2024-03-31T25:00:00',
  '2024-3-31',
  '31.03.2024',
  '03/31/2024',
  '20240331',
  'today',
  '2024-03-31 or so',
  '1711843200000',
  1711843200000,
  '',
  null,
  undefined,
  true,
  {},
  [],
  new Date(Number.NaN),
  DateTime.fromISO('nonsense'),
])('%p is refused by the name of its field', (value) => {
  expect(() => calendarDate('VAT Liable Since', value, 'Europe/Tallinn')).toThrow(
    /^VAT Liable Since is not a calendar date: /,
  );
  expect(() => dateOrDateTime('Received Before', value, 'Europe/Tallinn')).toThrow(
    /^Received Before is not a (calendar )?date/,
  );
});

test.each([
  ['2024-03-31T23:30:00Z', 'Europe/Tallinn', '2024-04-01'],
  ['2024-03-31T23:30:00+03:00', 'Europe/Tallinn', '2024-03-31'],
  ['2024-03-31T23:30:00 +0300', 'UTC', '2024-03-31'],
  ['2024-03-31 23:30 +0300', 'UTC', '2024-03-31'],
  ['2024-03-31T23:30:00+03', 'UTC', '2024-03-31'],
  ['2024-03-31T23:30:00.000+03:00[Europe/Tallinn]', 'America/New_York', '2024-03-31'],
  ['2024-03-31T23:30:00.000+03:00[No/Where]', 'America/New_York', '2024-03-31'],
  ['2024-03-31T03:00:00+03:00', 'America/New_York', '2024-03-31'],
  ['2024-03-31T02:00:00z', 'America/New_York', '2024-03-30'],
])('%s in %s is %s', (value, workflow, date) => {
  expect(calendarDate('VAT Liable Since', value, workflow)).toBe(date);
});

test.each([
  ['', 'VAT Liable Since is not a calendar date: it is empty.', ''],
  ['soon', 'VAT Liable Since is not a calendar date: "soon".', ''],
  [[], 'VAT Liable Since is not a calendar date: an empty list.', ` ${howToGiveOne([])}`],
])('%j is refused with the way out', (value, message, more) => {
  const description = `Enter a date as YYYY-MM-DD, e.g. 2024-03-31, or select it in the date field.${more}`;
  expect(() => calendarDate('VAT Liable Since', value, 'Europe/Tallinn')).toThrow(
    expect.objectContaining({ message, description }),
  );
});

test('a time leaves with the offset that it has', () => {
  const time = '2024-03-31T10:00:00+05:45';
  expect(dateOrDateTime('Received Since', time, 'Europe/Tallinn')).toBe(time);
});

test.each([
  ['2024-03', '2024-03'],
  [' 1999-12 ', '1999-12'],
  ['2024-10', '2024-10'],
  ['2024-03-31', '2024-03'],
  ['2024-03-31T23:30:00Z', '2024-04'],
  [DateTime.fromISO('2024-03-31T10:00:00Z'), '2024-03'],
])('%p is in the month %s', (value, month) => {
  expect(calendarMonth('Month', value, 'Europe/Tallinn')).toBe(month);
});

test.each(['2024-13', '2024-00', '0026-03', '2024-3', '2024-031', 'in 2024-03', '2024-03x', 'March', 202403])(
  '%p is no month',
  (value) => {
    expect(() => calendarMonth('Month', value, 'Europe/Tallinn')).toThrow(
      expect.objectContaining({
        message: `Month is not a month: ${given(value)}.`,
        description:
          'Enter a month as YYYY-MM, e.g. 2024-03, or an expression that returns a date in that month.',
      }),
    );
  },
);

test('a day that no calendar has is in no month', () => {
  expect(() => calendarMonth('Month', '2024-02-30', 'Europe/Tallinn')).toThrow(
    'Month is not a calendar date',
  );
});

test.each([
  ['2026-11-29T23:30:40.210Z', 'November 30, 01:30 (Europe/Tallinn)'],
  ['2026-11-29T18:30:00-05:00', 'November 30, 01:30 (Europe/Tallinn)'],
  ['2026-12-31T23:30:00Z', 'January 1, 2027, 01:30 (Europe/Tallinn)'],
  ['soon', 'soon'],
])('shows the time %s as people write it: %s', (instant, shown) => {
  Settings.defaultLocale = 'et';
  Settings.now = () => Date.parse('2026-12-31T21:59:00Z');
  expect(shownTime(instant, 'Europe/Tallinn')).toBe(shown);
  Settings.defaultLocale = 'system';
  Settings.now = Date.now;
});

test.each([
  [1, '1 second'],
  [45_000, '45 seconds'],
  [60_000, '1 minute'],
  [61_000, '2 minutes'],
  [3_600_000, '60 minutes'],
])('%i milliseconds are %s', (milliseconds, shown) => expect(shownDuration(milliseconds)).toBe(shown));
