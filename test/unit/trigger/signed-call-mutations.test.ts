import fc from 'fast-check';
import { type Call, readDelivery } from '../../../nodes/AccountingAgencyTrigger/signed-call';
import { anEvent, signedCall } from '../../support/trigger/signing';

// Mutations that leave nothing genuine: each takes a genuine call and gives one that must be refused.
type Mutation = (call: Call & { rawBody: Buffer }, place: number, value: string) => Partial<Call>;

const RUNS = 10_000;
const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const genuine = Array.from({ length: 40 }, (_, index) => {
  const event = anEvent({ id: `evt_${index}`, data: { text: 'Überweisung März 🧾'.repeat(index % 5) } });
  return signedCall(
    JSON.stringify(event),
    `whsec_${Buffer.alloc(32, index + 1).toString('base64')}`,
    event.id,
  );
});

const header = (call: Call, name: string) => String(call.headers[name]);
const withHeader = (call: Call, name: string, value: unknown): Partial<Call> => ({
  headers: { ...call.headers, [name]: value },
});

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const nameAt = (place: number) => NAMES[place % NAMES.length] ?? '';

/** The text with one character changed to another one, which `value` chooses. */
function withOtherCharacter(text: string, place: number, value: string): string {
  const at = place % text.length;
  const code = text.charCodeAt(at);
  return `${text.slice(0, at)}${String.fromCharCode((code + 1 + (value.length % 90)) % 128)}${text.slice(at + 1)}`;
}

const mutations: Record<string, Mutation> = {
  'another byte': ({ rawBody }, place, value) => {
    const changed = Buffer.from(rawBody);
    const at = place % changed.length;
    changed[at] = (changed.readUInt8(at) + 1 + (value.length % 255)) % 256;
    return { rawBody: changed };
  },
  'a byte less': ({ rawBody }, place) => {
    const at = place % rawBody.length;
    return { rawBody: Buffer.concat([rawBody.subarray(0, at), rawBody.subarray(at + 1)]) };
  },
  'more bytes': ({ rawBody }, place, value) => {
    const at = place % (rawBody.length + 1);
    return {
      rawBody: Buffer.concat([rawBody.subarray(0, at), Buffer.from(`${value} `), rawBody.subarray(at)]),
    };
  },
  'a cut body': ({ rawBody }, place) => ({ rawBody: rawBody.subarray(0, place % rawBody.length) }),
  'any bytes': (_, place, value) => ({ rawBody: Buffer.from(value, place % 2 === 0 ? 'utf8' : 'latin1') }),
  'the same JSON in other bytes': ({ rawBody }) => ({
    rawBody: Buffer.from(JSON.stringify(JSON.parse(rawBody.toString()), null, 1)),
  }),
  'no body': () => ({ rawBody: undefined }),
  'another character in a header': (call, place, value) => {
    const name = nameAt(place);
    return withHeader(call, name, withOtherCharacter(header(call, name), place, value));
  },
  'more in a header': (call, place, value) => {
    const name = nameAt(place);
    const text = header(call, name);
    const at = place % (text.length + 1);
    // Something after a space would be one more signature beside the genuine one.
    return withHeader(call, name, `${text.slice(0, at)}x${value.replace(/\s/g, '')}${text.slice(at)}`);
  },
  'a cut header': (call, place) => {
    const name = nameAt(place);
    const text = header(call, name);
    return withHeader(call, name, text.slice(0, place % text.length));
  },
  'a doubled header': (call, place, value) => {
    const name = nameAt(place);
    return withHeader(call, name, `${header(call, name)}, ${value || header(call, name)}`);
  },
  'a header of any text': (call, place, value) => withHeader(call, nameAt(place), value),
  'a header that is no text': (call, place) =>
    withHeader(call, nameAt(place), [undefined, null, 7, [header(call, nameAt(place))], {}][place % 5]),
  'another time': (call, place) =>
    withHeader(
      call,
      'webhook-timestamp',
      String(Number(header(call, 'webhook-timestamp')) - 1 - (place % 290)),
    ),
  'a time in another form': (call, place) => {
    const time = header(call, 'webhook-timestamp');
    const forms = [`${time}000`, `${time}.0`, `+${time}`, `0${time}`, `${time}e0`, ` ${time}`, `${time}\n`];
    return withHeader(call, 'webhook-timestamp', forms[place % forms.length]);
  },
  'another version': (call, place) => {
    const signature = header(call, 'webhook-signature').replace('v1,', '');
    const forms = [
      `v2,${signature}`,
      `V1,${signature}`,
      `v1a,${signature}`,
      `v1,v1,${signature}`,
      `1,${signature}`,
    ];
    return withHeader(call, 'webhook-signature', forms[place % forms.length]);
  },
  'the signature in another case': (call, place) => {
    const signature = header(call, 'webhook-signature').replace('v1,', '');
    return withHeader(
      call,
      'webhook-signature',
      `v1,${place % 2 === 0 ? signature.toLowerCase() : signature.toUpperCase()}`,
    );
  },
  'the signature of another call': (call, place) => {
    const others = genuine.filter(({ secret }) => secret !== call.secret);
    const other = others[place % others.length];
    return withHeader(call, 'webhook-signature', other?.headers['webhook-signature']);
  },
  'another secret': ({ secret }, place, value) => ({
    secret: [OTHER_SECRET, value, `whsec_${value}`, String(secret).replace('whsec_', ''), undefined, null][
      place % 6
    ],
  }),
};

test(`refuses ${RUNS} mutated calls, and throws at none`, () => {
  const tried = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(...genuine),
      fc.constantFrom(...Object.keys(mutations)),
      fc.nat(),
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
      ),
      (call, name, place, value) => {
        const mutated = { ...call, ...mutations[name]?.(call, place, value) };
        tried.add(name);
        const verdict = readDelivery(mutated);
        return 'refusal' in verdict && verdict.refusal.status === 401;
      },
    ),
    { numRuns: RUNS },
  );
  expect([...tried].sort()).toEqual(Object.keys(mutations).sort());
  // The clock has not run away: what was mutated is still accepted as it was sent.
  for (const call of genuine) expect(readDelivery(call)).toHaveProperty('event');
});
