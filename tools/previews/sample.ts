import { isRecord } from '../../nodes/shared/values/json';
import { resolve, type Schema } from '../contract';

/** A JSON Schema as far as previews need it. */
export interface Shape {
  type: string;
  properties?: Record<string, Shape>;
  items?: Shape;
}

const SAMPLES: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true };

/**
 * A value that a schema of the contract allows, with every field in it. What may be `null` is not, so that a preview
 * shows the type of the value.
 */
export function sample(schema: Schema): unknown {
  const { type, oneOf, anyOf, items = {}, properties = {} } = resolve(schema);
  const [variant] = oneOf ?? anyOf ?? [];
  if (variant !== undefined) return sample(variant);
  const [kind = ''] = [type].flat();
  if (kind === 'array') return [sample(items)];
  if (kind !== 'object') return SAMPLES[kind] ?? null;
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sample(property)]));
}

/** The JSON Schema of a value: its types, as n8n's own previews have them. */
export function shapeOf(value: unknown): Shape {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: shapeOf(value[0]) };
  if (isRecord(value)) {
    const properties = Object.entries(value).map(([name, part]): [string, Shape] => [name, shapeOf(part)]);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  return { type: Number.isInteger(value) ? 'integer' : typeof value };
}
