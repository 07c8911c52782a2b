import { isRecord } from '../../nodes/shared/values/json';

/** A JSON Schema as far as previews need it. */
export interface Shape {
  type: string;
  properties?: Record<string, Shape>;
  items?: Shape;
}

/**
 * A value that a schema of the contract allows, with every field in it. What may be `null` is not, so that a preview
 * shows the type of the value.
 *
 * @param schema of OpenAPI 3.1
 * @param resolve finds what a `$ref` names
 */
export function sample(schema: unknown, resolve: (ref: string) => unknown): unknown {
  if (!isRecord(schema)) return null;
  if (typeof schema.$ref === 'string') return sample(resolve(schema.$ref), resolve);
  const [variant] = [schema.oneOf, schema.anyOf].filter(Array.isArray).flat();
  if (variant !== undefined) return sample(variant, resolve);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [sample(schema.items, resolve)];
    case 'object':
      return Object.fromEntries(
        Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, property]) => [
          name,
          sample(property, resolve),
        ]),
      );
    default:
      return null;
  }
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
