/** Levels of objects and lists. */
const DEEPEST = 100;

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without its fields that are `undefined`, which would hide those of another when both are spread. */
export function onlyDefined<T>(values: Record<string, T | undefined>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** The value of a JSON text; `undefined` for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** n8n hands on a text as it came, and some answers already parsed. */
export function jsonOf(body: unknown): unknown {
  const value = typeof body === 'string' ? parsedJson(body) : body;
  return isNested(value) ? undefined : value;
}

/**
 * Whether a value is nested deeper than what walks through values, here and in n8n, could follow. A loop, and no call for
 * what holds nothing: a long list has hundreds of thousands of values.
 */
function isNested(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === DEEPEST) return true;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && isNested(inner, depth + 1)) return true;
  }
  return false;
}

/** A text of an answer; anything else, which the API never gives there, counts as nothing. */
export function textOrNothing(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
