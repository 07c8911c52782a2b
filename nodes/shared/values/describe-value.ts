const LONGEST_SHOWN = 40;

/** What was given, in words for a message: short, and of an object, which may be a whole file, the names alone. */
export function given(value: unknown): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'string') return `"${shortened(value)}"`;
  if (Array.isArray(value)) return listGiven(value);
  if (isDate(value)) return 'a date';
  if (typeof value === 'object') return objectGiven(value);
  return typeof value === 'function' ? 'a function' : shortened(String(value));
}

/** How to give one value instead of several; empty for a single value. */
export function howToGiveOne(value: unknown): string {
  if (Array.isArray(value)) return 'For one entry of a list, add its position to the expression, e.g. [0].';
  const isObject = typeof value === 'object' && value !== null && !isDate(value);
  return isObject ? 'For one field of an object, add its name to the expression, e.g. .id.' : '';
}

/** Whether a value is a JavaScript date, also one of another part of n8n with classes of its own. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** A text cut to what a message has room for, never in the middle of a character. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_SHOWN ? `${characters.slice(0, LONGEST_SHOWN).join('')}…` : text;
}

function listGiven(list: unknown[]): string {
  if (list.length === 0) return 'an empty list';
  const isPlain = list.every((entry) => ['string', 'number', 'boolean'].includes(typeof entry));
  return isPlain
    ? `a list (${shortened(list.map(String).join(', '))})`
    : `a list of ${list.length} ${list.length === 1 ? 'entry' : 'entries'}`;
}

function objectGiven(value: object): string {
  const names = Object.keys(value);
  return names.length === 0 ? 'an empty object' : `an object (${shortened(names.join(', '))})`;
}
