import fc from 'fast-check';
import { connectionFault } from '../../../nodes/shared/api/errors/network-errors';
import {
  ATTEMPTS,
  backOffMs,
  Pace,
  retryAdvice,
  retryAfterMs,
} from '../../../nodes/shared/api/requests/retry';
import { waitUntil } from '../../../nodes/shared/api/requests/wait';
import { FakeClock } from '../../support/time/clock';

const NOW = Date.parse('2026-11-28T00:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['2', 2000],
    [' 60 ', 60_000],
    ['3600', 3_600_000],
    ['Sat, 28 Nov 2026 00:00:20 GMT', 20_000],
    ['Sat, 28 Nov 2026 02:00:20 +0200', 20_000],
    ['Sat 28 Nov 2026 00:00:20 GMT', 20_000],
    ['0', undefined],
    ['Fri, 27 Nov 2026 23:59:00 GMT', undefined],
    ['', undefined],
    [undefined, undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-11-28T00:00:20Z', undefined],
    ['after Sat, 28 Nov 2026 00:00:20 GMT', undefined],
  ])('%p asks for %p milliseconds', (header, milliseconds) => {
    expect(retryAfterMs(header, NOW)).toBe(milliseconds);
  });
});

describe('Whether a request is sent again', () => {
  test.each([
    [429, 'RATE_LIMITED', '60', { kind: 'paced', afterMs: 60_000 }],
    [429, undefined, undefined, { kind: 'paced', afterMs: undefined }],
    [500, 'INTERNAL_ERROR', undefined, { kind: 'alone' }],
    [502, undefined, undefined, { kind: 'alone' }],
    [503, 'STORAGE_UNAVAILABLE', undefined, { kind: 'alone' }],
    [503, 'STORAGE_UNAVAILABLE', '60', { kind: 'paced', afterMs: 60_000 }],
    [504, undefined, undefined, { kind: 'alone' }],
    [409, 'IDEMPOTENCY_KEY_IN_USE', undefined, { kind: 'alone' }],
    [409, 'CONFLICT', undefined, { kind: 'never' }],
    [400, 'VALIDATION_ERROR', undefined, { kind: 'never' }],
    [412, 'PRECONDITION_FAILED', undefined, { kind: 'never' }],
    [302, undefined, undefined, { kind: 'never' }],
    [200, undefined, undefined, { kind: 'never' }],
    [501, undefined, undefined, { kind: 'never' }],
  ])('after %i %s', (status, code, header, advice) => {
    expect(retryAdvice(status, code, header, NOW)).toEqual(advice);
  });

  test('the longest row of attempts fits into ten minutes', () => {
    const waits = Array.from({ length: ATTEMPTS - 1 }, (_, index) => backOffMs(index + 1, 0.999));
    expect(ATTEMPTS).toBeGreaterThanOrEqual(8);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(600_000);
  });

  test('each wait is at least half of what doubling gives, and at most half a minute', () => {
    const attempt = fc.integer({ min: 1, max: 1000 });
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempt, chance, (number, luck) => {
        const wait = backOffMs(number, luck);
        expect(wait).toBeGreaterThanOrEqual(Math.min(500 * 2 ** (number - 1), 30_000) / 2);
        expect(wait).toBeLessThanOrEqual(Math.min(500 * 2 ** (number - 1), 30_000));
      }),
    );
  });
});

describe('Waiting', () => {
  test('is made of slices of at most a second', async () => {
    const clock = new FakeClock();
    expect(await waitUntil(clock.now() + 2500, clock)).toBe(true);
    expect(clock.slept).toEqual([1000, 1000, 500]);
  });

  test('for a time that is over does not sleep', async () => {
    const clock = new FakeClock();
    expect(await waitUntil(clock.now() - 1, clock)).toBe(true);
    expect(clock.slept).toEqual([]);
  });

  test('ends within a second when the execution is cancelled', async () => {
    const clock = new FakeClock();
    const cancelling = new AbortController();
    const waiting = waitUntil(clock.now() + 60_000, clock, cancelling.signal);
    cancelling.abort();
    expect(await waiting).toBe(false);
    expect(clock.slept).toEqual([1000]);
  });

  test('is not begun after a cancellation', async () => {
    const clock = new FakeClock();
    expect(await waitUntil(clock.now() + 1000, clock, AbortSignal.abort())).toBe(false);
    expect(await waitUntil(clock.now(), clock, AbortSignal.abort())).toBe(false);
    expect(clock.slept).toEqual([]);
  });
});

describe('The pace of an execution', () => {
  test('lets requests go at once while nothing is wrong, and when a pause is over', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock);
    expect(await pace.ready()).toBe(true);
    pace.pause(1000);
    await clock.sleep(1000);
    expect(await pace.ready()).toBe(true);
    expect(clock.slept).toEqual([1000]);
  });

  test.each([0, 0.25, 0.75])(
    'holds all of them back for the pause, and by a chance of %d for a part of a second more',
    async (chance) => {
      const clock = new FakeClock(0, chance);
      const pace = new Pace(clock);
      pace.pause(60_000);
      expect(await Promise.all([pace.ready(), pace.ready(), pace.ready()])).toEqual([true, true, true]);
      expect(clock.now()).toBe(60_000 + chance * 1000);
    },
  );

  test('keeps the longer of two pauses, also when it comes while they wait', async () => {
    const clock = new FakeClock();
    const start = clock.now();
    const pace = new Pace(clock);
    pace.pause(2000);
    const waiting = pace.ready();
    pace.pause(30_000);
    pace.pause(1000);
    await waiting;
    expect(clock.now() - start).toBeGreaterThanOrEqual(30_000);
  });

  test('says when the execution was cancelled', async () => {
    const clock = new FakeClock();
    const pace = new Pace(clock);
    expect(await pace.ready(AbortSignal.abort())).toBe(false);
    pace.pause(60_000);
    expect(await pace.ready(AbortSignal.abort())).toBe(false);
    expect(clock.slept).toEqual([]);
  });
});

describe('What kept a request from being answered', () => {
  const wrapped = (code: string) =>
    Object.assign(new Error('wrapped'), { cause: Object.assign(new Error(code), { code }) });

  test.each([
    ['ECONNRESET', 'the connection was lost', true],
    ['EPIPE', 'the connection was lost', true],
    ['ECONNREFUSED', 'nothing is listening at this address', true],
    ['ECONNABORTED', 'it did not respond in time', true],
    ['ETIMEDOUT', 'it did not respond in time', true],
    ['EAI_AGAIN', 'the name of the server could not be looked up', true],
    ['ENOTFOUND', 'there is no server with this name', false],
    ['CERT_HAS_EXPIRED', 'its certificate is not trusted', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted', false],
    ['HPE_INVALID_CONSTANT', 'its response is garbled', true],
    ['Z_DATA_ERROR', 'its response is garbled', true],
    ['EPROTO', 'no secure connection could be made', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no secure connection could be made', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted', false],
  ])('%s, wrapped or not', (code, reason, transient) => {
    expect(connectionFault(wrapped(code))).toMatchObject({ reason, code, transient });
    expect(connectionFault(Object.assign(new Error('x'), { code }))).toMatchObject({
      reason,
      code,
      transient,
    });
  });

  test.each([
    // As n8n 1.x hands them on: no cause, the code as `httpCode`, and other words for some codes.
    [
      { httpCode: 'ECONNREFUSED', message: 'The service refused the connection' },
      'nothing is listening at this address',
    ],
    [
      { httpCode: 'ECONNRESET', message: 'The connection to the server was closed' },
      'the connection was lost',
    ],
    [{ httpCode: '200', message: 'stream has been aborted' }, 'the connection was lost'],
    [{ httpCode: null, message: 'aborted' }, 'the connection was lost'],
    [{ httpCode: null, message: 'socket hang up' }, 'the connection was lost'],
  ])('%p, without a cause', (facts, reason) => {
    expect(connectionFault(facts)).toEqual({
      reason,
      code: expect.stringMatching(/^ECONN/),
      transient: true,
    });
  });

  test('has the way out of a certificate of a proxy with it', () => {
    expect(connectionFault({ code: 'SELF_SIGNED_CERT_IN_CHAIN' })?.hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(connectionFault({ code: 'ECONNRESET' })?.hint).toBeUndefined();
  });

  test('is told in its own words when it is of the network, without its request', () => {
    const thrown = Object.assign(new Error('Odd Error.'), {
      code: 'ERR_ODD',
      config: { headers: { Authorization: 'Bearer secret' } },
    });
    expect(connectionFault(thrown)).toEqual({
      reason: 'Odd Error',
      code: 'ERR_ODD',
      transient: false,
    });
  });

  test('is nothing that was not of the network', () => {
    const round: Error & { cause?: unknown } = new Error('round');
    round.cause = round;
    const others = ['text', undefined, round, new TypeError('x'), { code: 'constructor', message: 'Odd' }];
    expect(others.map(connectionFault)).toEqual(others.map(() => undefined));
  });
});
