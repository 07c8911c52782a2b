import type { Limits, Shape } from './shape';

/**
 * What a change means for the nodes. Removed: what they use has gone. Narrowed: the agency takes less of
 * them, or promises less. Added and widened: there is more of it, and they work as before.
 */
export type Kind = 'removed' | 'narrowed' | 'added' | 'widened';

/** One difference between the known contract and a published one. */
export interface Difference {
  kind: Kind;
  /** Where in a request or an answer, e.g. `body.fileId`. */
  part: string;
  /** The difference in words that go on after `part`. */
  what: string;
}

/** Whether a value goes to the agency or comes from it: what is less for the one is more for the other. */
export type Direction = 'request' | 'answer';

interface Pair {
  known: Shape;
  published: Shape;
  part: string;
  direction: Direction;
}

/** The differences of two shapes, from the outside to the inside. */
export function shapeDifferences(pair: Pair): Difference[] {
  return [
    ...typeDifferences(pair),
    ...valueDifferences(pair),
    ...limitDifferences(pair),
    ...fieldDifferences(pair),
    ...itemDifferences(pair),
  ];
}

/** `number` says what `integer` says, and more. */
const told = (types: ReadonlySet<string>): string[] =>
  [...types].filter((type) => type !== 'integer' || !types.has('number'));

function typeDifferences({ known, published, part, direction }: Pair): Difference[] {
  const isRequest = direction === 'request';
  if (published.types.size === 0) {
    if (known.types.size === 0) return [];
    return [{ kind: isRequest ? 'widened' : 'narrowed', part, what: 'may be of any type' }];
  }
  if (known.types.size === 0) {
    const types = told(published.types).join(' or ');
    return [{ kind: isRequest ? 'narrowed' : 'widened', part, what: `is now only ${types}` }];
  }
  const lost = told(known.types).filter((type) => !published.types.has(type));
  const gained = told(published.types).filter((type) => !known.types.has(type));
  return [
    ...lost.map((type): Difference => ({
      kind: isRequest ? 'narrowed' : 'widened',
      part,
      what: `is no longer ${type}`,
    })),
    ...gained.map((type): Difference => ({
      kind: isRequest ? 'widened' : 'narrowed',
      part,
      what: `may now be ${type}`,
    })),
  ];
}

function valueDifferences({ known, published, part, direction }: Pair): Difference[] {
  if (!known.values && !published.values) return [];
  if (!published.values) return [{ kind: 'widened', part, what: 'has no fixed list of values any more' }];
  const list = [...published.values].join(', ');
  if (!known.values) {
    return [{ kind: direction === 'request' ? 'narrowed' : 'widened', part, what: `is now one of ${list}` }];
  }
  const { values } = known;
  const { values: now } = published;
  return [
    ...[...values]
      .filter((value) => !now.has(value))
      .map((value): Difference => ({ kind: 'removed', part, what: `value ${value}` })),
    ...[...now]
      .filter((value) => !values.has(value))
      .map((value): Difference => ({ kind: 'added', part, what: `value ${value}` })),
  ];
}

function limitDifferences({ known, published, part, direction }: Pair): Difference[] {
  const names = [...new Set([...Object.keys(known.limits), ...Object.keys(published.limits)])];
  return names.flatMap((name) => {
    const kind = limitKind(name, known.limits, published.limits);
    // How long or large a value of an answer may be makes no difference to the nodes.
    if (!kind || (direction === 'answer' && kind !== 'other')) return [];
    const [before = 'none', now = 'none'] = [known.limits[name], published.limits[name]];
    const what = `${name} is ${now} instead of ${before}`;
    return [{ kind: kind === 'other' ? ('narrowed' as const) : kind, part, what }];
  });
}

/** How a limit changed; `other`: two texts, such as patterns, of which neither is known to allow more. */
function limitKind(
  name: string,
  known: Limits,
  published: Limits,
): 'narrowed' | 'widened' | 'other' | undefined {
  const [before, now] = [known[name], published[name]];
  if (before === now) return undefined;
  if (now === undefined) return 'widened';
  if (before === undefined) return 'narrowed';
  if (typeof before !== 'number' || typeof now !== 'number') return 'other';
  return now > before === /^(min|exclusiveMin)/.test(name) ? 'narrowed' : 'widened';
}

function fieldDifferences({ known, published, part, direction }: Pair): Difference[] {
  const at = (name: string) => (part === '' ? name : `${part}.${name}`);
  const isRequest = direction === 'request';
  const kept = [...known.fields].flatMap(([name, before]): Difference[] => {
    const now = published.fields.get(name);
    if (!now) return [{ kind: 'removed', part: at(name), what: 'is no longer there' }];
    const inside = shapeDifferences({
      known: before.shape,
      published: now.shape,
      part: at(name),
      direction,
    });
    if (before.required === now.required) return inside;
    const required: Difference = now.required
      ? {
          kind: isRequest ? 'narrowed' : 'widened',
          part: at(name),
          what: isRequest ? 'is now required' : 'is now always there',
        }
      : {
          kind: isRequest ? 'widened' : 'narrowed',
          part: at(name),
          what: isRequest ? 'is no longer required' : 'may now be missing',
        };
    return [required, ...inside];
  });
  const more = [...published.fields]
    .filter(([name]) => !known.fields.has(name))
    .map(([name, { required }]): Difference =>
      required && isRequest
        ? { kind: 'narrowed', part: at(name), what: 'is new and required' }
        : { kind: 'added', part: at(name), what: 'is new' },
    );
  return [...kept, ...more];
}

function itemDifferences({ known, published, part, direction }: Pair): Difference[] {
  if (!known.items || !published.items) return [];
  return shapeDifferences({
    known: known.items,
    published: published.items,
    part: `${part}[]`,
    direction,
  });
}
