import { isRecord } from '../../nodes/shared/values/json';
import { listOf } from './values';

/** Limits of a value, by the names of JSON Schema. */
export type Limits = Readonly<Record<string, number | string>>;

/** A field of an object. */
export interface Field {
  required: boolean;
  shape: Shape;
}

/** What a JSON Schema says of a value, with references, alternatives and `null` already worked in. */
export interface Shape {
  /** Names of JSON types; empty: any. A number may be an integer too. */
  types: ReadonlySet<string>;
  /** The allowed values as JSON; absent: any. */
  values?: ReadonlySet<string> | undefined;
  fields: ReadonlyMap<string, Field>;
  items?: Shape | undefined;
  limits: Limits;
}

/** Finds what a `$ref` of a document names. */
export type Resolve = (ref: string) => unknown;

const LIMITS = [
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'pattern',
  'format',
];

const ANY: Shape = { types: new Set(), fields: new Map(), limits: {} };

/**
 * The shape of a schema of OpenAPI 3.0 or 3.1.
 *
 * @param inside the references that lead here: a schema that holds itself is any value at its second turn
 */
export function shapeOf(schema: unknown, resolve: Resolve, inside: readonly string[] = []): Shape {
  if (!isRecord(schema)) return ANY;
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    return inside.includes($ref) ? ANY : shapeOf(resolve($ref), resolve, [...inside, $ref]);
  }
  const part = (one: unknown) => shapeOf(one, resolve, inside);
  const own = ownShape(schema, part);
  const whole = listOf(schema.allOf).map(part).reduce(both, own);
  const variants = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].map(part);
  return variants.length === 0 ? whole : both(whole, variants.reduce(either));
}

function ownShape(schema: Record<string, unknown>, part: (schema: unknown) => Shape): Shape {
  const required = listOf(schema.required);
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return {
    types: typesOf(schema),
    ...(Array.isArray(values) && { values: new Set(values.map((value) => JSON.stringify(value))) }),
    fields: new Map(
      properties.map(([name, property]) => [
        name,
        { required: required.includes(name), shape: part(property) },
      ]),
    ),
    ...(schema.items !== undefined && { items: part(schema.items) }),
    limits: Object.fromEntries(
      LIMITS.flatMap((name): [string, number | string][] => {
        const limit = schema[name];
        return typeof limit === 'number' || typeof limit === 'string' ? [[name, limit]] : [];
      }),
    ),
  };
}

function typesOf({ type, nullable }: Record<string, unknown>): Set<string> {
  const types = new Set([type].flat().filter((one) => typeof one === 'string'));
  if (types.has('number')) types.add('integer');
  if (nullable === true && types.size > 0) types.add('null');
  return types;
}

/** What keeps to both of two shapes. */
function both(one: Shape, other: Shape): Shape {
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) {
    const known = fields.get(name);
    const shape = known ? both(known.shape, field.shape) : field.shape;
    fields.set(name, { required: field.required || known?.required === true, shape });
  }
  return {
    types: common(one.types, other.types),
    values: one.values && other.values ? common(one.values, other.values) : (one.values ?? other.values),
    fields,
    items: one.items && other.items ? both(one.items, other.items) : (one.items ?? other.items),
    limits: { ...one.limits, ...other.limits },
  };
}

/** What keeps to one of two shapes. A limit counts when both have it. */
export function either(one: Shape, other: Shape): Shape {
  if (isNull(other)) return { ...one, ...withNull(one) };
  if (isNull(one)) return { ...other, ...withNull(other) };
  const names = new Set([...one.fields.keys(), ...other.fields.keys()]);
  const fields = [...names].map((name): [string, Field] => {
    const [a, b] = [one.fields.get(name), other.fields.get(name)];
    const shape = a && b ? either(a.shape, b.shape) : (a ?? b)?.shape;
    return [name, { required: a?.required === true && b?.required === true, shape: shape ?? ANY }];
  });
  const isAny = one.types.size === 0 || other.types.size === 0;
  return {
    types: isAny ? new Set() : new Set([...one.types, ...other.types]),
    values: one.values && other.values && new Set([...one.values, ...other.values]),
    fields: new Map(fields),
    items: one.items && other.items ? either(one.items, other.items) : (one.items ?? other.items),
    limits: Object.fromEntries(
      Object.entries(one.limits).filter(([name, limit]) => other.limits[name] === limit),
    ),
  };
}

const isNull = ({ types }: Shape): boolean => types.size === 1 && types.has('null');

const withNull = ({ types, values }: Shape): Pick<Shape, 'types' | 'values'> => ({
  types: types.size === 0 ? types : new Set([...types, 'null']),
  values: values && new Set([...values, 'null']),
});

/** The common members; an empty set of types stands for all. */
function common(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  if (one.size === 0) return other;
  return other.size === 0 ? one : new Set([...one].filter((member) => other.has(member)));
}
