import { rawBodyOf, readDelivery } from '../../../nodes/AccountingAgencyTrigger/signed-call';
import { anEvent, signedCall, signedHeaders, VECTOR_SECRET } from '../../support/trigger/signing';

const REFUSED = { refusal: { status: 401, body: { error: expect.any(String) } } };
const refusedWith = (error: string) => ({ refusal: { status: 401, body: { error } } });
const MISMATCH = refusedWith('The signature does not match, or the timestamp is more than five minutes off.');
const NO_BODY = refusedWith('The body is missing or is not UTF-8 text.');
const malformed = (header: string) => refusedWith(`The header ${header} is missing or malformed.`);
const NO_EVENT = { refusal: { status: 400, body: { error: 'The body is not an event.' } } };
const body = JSON.stringify(anEvent());

afterEach(() => jest.restoreAllMocks());

describe('the vectors of Standard Webhooks', () => {
  const unicode = '{"tax_formatted": "\\u20ac0.57", "total": 12.50, "id":1e2}';
  const umlauts = '{"name":"Müller & Söhne 🧾"}';
  type Vector = [id: string, seconds: number, text: string, bytes: number, signature: string];
  const vectors: [Vector, Vector, Vector] = [
    [
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
      20,
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
    ['msg_1', 1700000000, unicode, 57, 'v1,aVJ723LnqGuFlRhryVqHHhl8NNhrPTflGoG+jyt38ng='],
    ['msg_1', 1700000000, umlauts, 32, 'v1,LNpLnGNxpublIxaRMiW3BGKju7lrudIGk/v/3eCO9Fc='],
  ];

  const call = ([id, seconds, text, , signature]: Vector) => ({
    headers: { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature },
    rawBody: Buffer.from(text),
    secret: VECTOR_SECRET,
  });

  // They are signed as they should be, but they are no events: that is 400, where a wrong signature is 401.
  test.each(vectors)('verifies %s at %i over the bytes as sent', (...vector) => {
    const [, seconds, text, bytes] = vector;
    expect(Buffer.byteLength(text)).toBe(bytes);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(seconds * 1000);
    expect(readDelivery(call(vector))).toEqual(NO_EVENT);

    for (const off of [300, -300]) {
      clock.mockReturnValue((seconds + off) * 1000);
      expect(readDelivery(call(vector))).toEqual(NO_EVENT);
      expect(readDelivery({ ...call(vector), rawBody: Buffer.from('{}') })).toEqual(MISMATCH);
    }
    for (const off of [301, -301]) {
      clock.mockReturnValue((seconds + off) * 1000);
      expect(readDelivery(call(vector))).toEqual({ ...REFUSED, cause: 'clock' });
    }
  });

  test('refuses the same JSON in other bytes', () => {
    const vector = vectors[1];
    jest.spyOn(Date, 'now').mockReturnValue(vector[1] * 1000);
    const rawBody = Buffer.from(JSON.stringify(JSON.parse(vector[2])));
    expect(readDelivery({ ...call(vector), rawBody })).toEqual(REFUSED);
  });
});

describe('a genuine call', () => {
  test('gives the event as sent', () => {
    const event = anEvent({
      id: 'evt_🧾',
      companyId: null,
      data: { deep: [{ name: 'Müller', total: 12.5, none: null }] },
    });
    expect(readDelivery(signedCall(JSON.stringify(event, null, 2)))).toEqual({ event });
  });

  test('may be of a type that this version does not know', () => {
    const event = anEvent({ type: 'invoice.paid' });
    expect(readDelivery(signedCall(JSON.stringify(event)))).toEqual({ event });
  });

  test.each([
    ['first', (genuine: string, other: string) => `${genuine} ${other}`],
    ['last', (genuine: string, other: string) => `${other} ${genuine}`],
    ['between other versions', (genuine: string, other: string) => `v1a,abc= ${other} ${genuine} v2,x!y`],
  ])('is accepted while a secret is replaced: its signature %s', (_, arrange) => {
    const call = signedCall(body);
    const other = signedCall(body, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD');
    const signatures = arrange(
      String(call.headers['webhook-signature']),
      String(other.headers['webhook-signature']),
    );
    const headers = { ...call.headers, 'webhook-signature': signatures };
    expect(readDelivery({ ...call, headers })).toEqual({ event: anEvent() });
  });
});

describe('a call that proves nothing is refused with 401', () => {
  const genuine = signedCall(body);
  const { 'webhook-signature': signature, 'webhook-timestamp': timestamp } = genuine.headers;
  const now = Math.floor(Date.now() / 1000);

  test.each<[string, Record<string, unknown>]>([
    ['no id', { 'webhook-id': undefined }],
    ['an empty id', { 'webhook-id': '' }],
    ['a doubled id', { 'webhook-id': 'evt_1, evt_1' }],
    ['an id twice as a list', { 'webhook-id': ['evt_1', 'evt_1'] }],
    ['an oversized id', { 'webhook-id': 'e'.repeat(201) }],
    ['a non-ASCII id', { 'webhook-id': 'evt_ü' }],
    ['no timestamp', { 'webhook-timestamp': undefined }],
    ['an empty timestamp', { 'webhook-timestamp': '' }],
    ['a doubled timestamp', { 'webhook-timestamp': `${timestamp}, ${timestamp}` }],
    ['a list of timestamps', { 'webhook-timestamp': [timestamp] }],
    ['milliseconds', { 'webhook-timestamp': `${timestamp}000` }],
    ['a fraction', { 'webhook-timestamp': `${timestamp}.0` }],
    ['a sign', { 'webhook-timestamp': `+${timestamp}` }],
    ['text after the digits', { 'webhook-timestamp': `${timestamp}x` }],
    ['full-width digits', { 'webhook-timestamp': '１７０００００００0' }],
    ['no signature', { 'webhook-signature': undefined }],
    ['an empty signature', { 'webhook-signature': '' }],
    ['a doubled signature', { 'webhook-signature': `${signature}, ${signature}` }],
    ['an oversized signature', { 'webhook-signature': `${signature}${` ${signature}`.repeat(90)}` }],
    ['a non-ASCII signature', { 'webhook-signature': `${signature} v1,ü` }],
    ['no version', { 'webhook-signature': String(signature).replace('v1,', '') }],
    ['a version without a signature', { 'webhook-signature': 'v1,' }],
  ])('%s', (_, headers) => {
    const [header = ''] = Object.keys(headers);
    expect(readDelivery({ ...genuine, headers: { ...genuine.headers, ...headers } })).toEqual(
      malformed(header),
    );
  });

  test.each([
    ['two ids', 'evt_1, evt_1'],
    ['a space before it', ' evt_1'],
    ['a space after it', 'evt_1 '],
    ['201 characters', 'e'.repeat(201)],
  ])('an id of %s, although it was signed so', (_, id) => {
    const headers = signedHeaders(VECTOR_SECRET, id, now, body);
    expect(readDelivery({ ...genuine, headers: { ...headers, 'webhook-id': id } })).toEqual(
      malformed('webhook-id'),
    );
  });

  test('a signature of another version only', () => {
    const headers = { ...genuine.headers, 'webhook-signature': String(signature).replace('v1,', 'v2,') };
    expect(readDelivery({ ...genuine, headers })).toEqual(MISMATCH);
  });

  test.each([
    ['old', now - 3600],
    ['of the future', now + 3600],
  ])('a genuine signature that is %s', (_, seconds) => {
    const headers = signedHeaders(VECTOR_SECRET, 'evt_1', seconds, body);
    expect(readDelivery({ ...genuine, headers })).toEqual({ ...REFUSED, cause: 'clock' });
    // Anybody can send a late call that the agency has not signed, which says nothing of n8n's clock.
    expect(readDelivery({ ...genuine, headers: { ...headers, 'webhook-id': 'evt_other' } })).toEqual(
      MISMATCH,
    );
  });

  test.each<[string, Buffer | undefined, object]>([
    ['no body', undefined, NO_BODY],
    ['an empty body', Buffer.alloc(0), NO_BODY],
    ['a changed byte', Buffer.from(body.replace('evt_1', 'evt_2')), MISMATCH],
    ['a byte more', Buffer.from(`${body} `), MISMATCH],
  ])('%s', (_, rawBody, expected) => {
    expect(readDelivery({ ...genuine, rawBody })).toEqual(expected);
  });

  test('no body, although nothing was signed', () => {
    const headers = signedHeaders(VECTOR_SECRET, 'evt_1', now, '');
    expect(readDelivery({ ...genuine, headers, rawBody: Buffer.alloc(0) })).toEqual(NO_BODY);
  });

  test('bytes that are no UTF-8, although their replacement is what was signed', () => {
    const call = signedCall(JSON.stringify(anEvent({ id: 'evt_\ufffd' })));
    const latin1 = Buffer.from(JSON.stringify(anEvent({ id: 'evt_ÿ' })), 'latin1');
    expect(latin1.toString('utf8')).toBe(call.rawBody.toString('utf8'));
    expect(readDelivery({ ...call, rawBody: latin1 })).toEqual(NO_BODY);
  });

  test.each<[string, unknown]>([
    ['missing', undefined],
    ['empty', ''],
    ['empty after its prefix', 'whsec_'],
    ['undecodable', 'whsec_!!!'],
    ['of a length that Base64 has not', 'whsec_MfKQ9'],
    ['of two characters', 'whsec_AA'],
    ['no Base64', 'whsec_abc'],
    ['of 15 bytes', `whsec_${Buffer.alloc(15, 7).toString('base64')}`],
    ['without its prefix', VECTOR_SECRET.replace('whsec_', '')],
    ['no text', { secret: VECTOR_SECRET }],
  ])('a stored secret that is %s, which is named as the cause', (_, secret) => {
    const expected = refusedWith('This address has no usable signing secret.');
    expect(readDelivery({ ...genuine, secret })).toEqual({ ...expected, cause: 'secret' });
  });

  test('another secret than the stored one', () => {
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    expect(readDelivery({ ...genuine, secret })).toEqual(REFUSED);
  });

  test('but signatures of 4,096 characters are taken', () => {
    const filling = ` v2,${'x'.repeat(4096 - String(signature).length - 4)}`;
    const headers = { ...genuine.headers, 'webhook-signature': `${signature}${filling}` };
    expect(headers['webhook-signature']).toHaveLength(4096);
    expect(readDelivery({ ...genuine, headers })).toEqual({ event: anEvent() });
  });

  test('takes a secret of 16 bytes', () => {
    const secret = `whsec_${Buffer.alloc(16, 7).toString('base64')}`;
    expect(readDelivery(signedCall(body, secret))).toEqual({ event: anEvent() });
  });

  test('without telling the secret or anything of the program', () => {
    const said = JSON.stringify([
      readDelivery({ ...genuine, secret: 'whsec_MfKQ9' }),
      readDelivery({ ...genuine, rawBody: Buffer.from('{}') }),
    ]);
    expect(said).not.toMatch(/whsec|MfKQ9|at \w|\.[jt]s/);
  });
});

describe('the bytes of a body', () => {
  const rawBody = Buffer.from(body);

  test.each(['application/json', 'x-multipart/octets', undefined])(
    'are those that n8n has read, as %s',
    async (type) => {
      expect(await rawBodyOf({ headers: { 'content-type': type }, rawBody })).toBe(rawBody);
    },
  );

  test('are not read again', async () => {
    const readRawBody = jest.fn();
    expect(await rawBodyOf({ headers: {}, rawBody, readRawBody })).toBe(rawBody);
    expect(readRawBody).not.toHaveBeenCalled();
  });

  test('are none of a form with files, which n8n has taken apart', async () => {
    const headers = { 'content-type': 'Multipart/form-data; boundary=x' };
    expect(await rawBodyOf({ headers, rawBody })).toBeUndefined();
  });
});

describe('a verified body that is no event is refused with 400', () => {
  const without = (field: string) => JSON.stringify({ ...anEvent(), [field]: undefined });
  test.each([
    ['no JSON', 'event'],
    ['half of it', body.slice(0, -1)],
    ['nothing', 'null'],
    ['a list', `[${body}]`],
    ['a text', '"evt_1"'],
    ['a number', '1'],
    ['an empty object', '{}'],
    ...Object.keys(anEvent()).map((field) => [`without ${field}`, without(field)]),
    ['a number as id', JSON.stringify({ ...anEvent(), id: 1 })],
    ['an empty id', JSON.stringify({ ...anEvent(), id: '' })],
    ['a number as company', JSON.stringify({ ...anEvent(), companyId: 1 })],
    ['a subject without id', JSON.stringify({ ...anEvent(), subject: { type: 'document' } })],
    ['a list as data', JSON.stringify({ ...anEvent(), data: [] })],
    ['its fields in __proto__', `{"__proto__":${body}}`],
  ])('%s', (_, text) => {
    expect(readDelivery(signedCall(text))).toEqual(NO_EVENT);
  });
});
