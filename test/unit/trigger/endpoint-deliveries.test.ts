import type { IHttpRequestOptions } from 'n8n-workflow';
import { EndpointDeliveries } from '../../../nodes/AccountingAgencyTrigger/recovery/endpoint-deliveries';
import { AgencyClient } from '../../../nodes/shared/api/client';
import { systemClock } from '../../../nodes/shared/api/requests/wait';
import { anEvent } from '../../support/trigger/signing';

const PAGE = 200;
const minute = (number: number) => new Date(Date.UTC(2026, 10, 1) + number * 60_000).toISOString();
/** An event of each minute, and its delivery. */
const event = (number: number) => anEvent({ id: `evt_${number}`, createdAt: minute(number) });
const delivery = (number: number) => ({
  id: number,
  eventId: `evt_${number}`,
  eventType: 'document.received',
  status: 'succeeded',
  attempts: 1,
  nextAttemptAt: null,
  lastStatusCode: number === 300 ? 202 : 200,
  lastError: null,
  createdAt: minute(number),
  deliveredAt: minute(number),
});

beforeEach(() => jest.spyOn(systemClock, 'sleep').mockResolvedValue());
afterEach(() => jest.restoreAllMocks());

/** An agency that has these deliveries, and how many pages were asked for. */
function agencyWith(numbers: number[]) {
  const asked: IHttpRequestOptions[] = [];
  const client = new AgencyClient(async (options) => {
    asked.push(options);
    const from = Number(new URL(String(options.url)).searchParams.get('cursor') ?? options.qs?.cursor ?? 0);
    const data = numbers.slice(from, from + PAGE).map(delivery);
    const nextCursor = from + PAGE < numbers.length ? String(from + PAGE) : null;
    return { statusCode: 200, headers: {}, body: JSON.stringify({ data, nextCursor }) };
  }, 'https://agency.example');
  return { deliveries: new EndpointDeliveries(client, 'we_1'), pages: () => asked.length };
}

const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => count - index);

test('are read back to the time of an event, however many came since', async () => {
  const { deliveries, pages } = agencyWith(newestFirst(6_000));
  await deliveries.readUntil([event(500)]);
  expect(deliveries.byEvent.get('evt_500')).toEqual({
    status: 'succeeded',
    attempts: 1,
    lastStatusCode: 200,
    deliveredAt: minute(500),
  });
  expect(pages()).toBe(28);
});

test('show whether the agency keeps what the node answered', async () => {
  const { deliveries } = agencyWith(newestFirst(600));
  await deliveries.readUntil([event(450)]);
  expect(deliveries.showAnswers).toBe(false);
  await deliveries.readUntil([event(350)]);
  expect(deliveries.showAnswers).toBe(true);
});

test('are not read behind the time of an event that has none', async () => {
  const { deliveries, pages } = agencyWith(newestFirst(6_000).filter((number) => number !== 5_700));
  await deliveries.readUntil([event(5_700)]);
  expect(pages()).toBe(2);
  await deliveries.readUntil([event(5_700), event(5_650)]);
  expect(pages()).toBe(2);
});

test('are read to the end in a list that begins with the oldest one', async () => {
  const { deliveries, pages } = agencyWith(newestFirst(900).reverse());
  await deliveries.readUntil([event(890)]);
  expect(deliveries.byEvent.has('evt_890')).toBe(true);
  expect(pages()).toBe(5);
});

test('are bounded', async () => {
  const { deliveries, pages } = agencyWith(newestFirst(30_000));
  await deliveries.readUntil([event(1)]);
  expect(pages()).toBe(100);
});
