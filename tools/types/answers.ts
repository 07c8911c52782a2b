/** As much of a schema of the contract as is read here. */
interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  /** The fields without which an answer is not this record. */
  'x-identified-by'?: string[];
}

interface Reference {
  $ref?: string;
}

interface Response {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  responses: Record<string, Reference>;
  /** The specification does not show what a success is answered with. */
  'x-answer-not-shown'?: boolean;
}

interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

type Shape = { [field: string]: string | Shape };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The module `nodes/shared/api/expected-answers.ts`: for each operation of the contract that answers JSON, or nothing,
 * the fields and types without which a 2xx answer is not the agency's.
 */
export function answersModule({ paths, components }: Contract): string {
  const last = ({ $ref = '' }: Reference) => $ref.split('/').at(-1) ?? '';
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolved(components.schemas[last(schema)] ?? {});

  const shapeOf = (schema: Schema): Shape => {
    const { properties = {}, 'x-identified-by': fields = [] } = resolved(schema);
    return Object.fromEntries(fields.map((field) => [field, kindOf(properties[field] ?? {})]));
  };
  const kindOf = (schema: Schema): string | Shape => {
    const { type = 'string', 'x-identified-by': fields } = resolved(schema);
    return fields === undefined ? type : shapeOf(schema);
  };
  const expected = (schema: Schema): Record<string, Shape> => {
    const { oneOf, properties = {} } = resolved(schema);
    if (oneOf !== undefined) return Object.assign({}, ...oneOf.map(expected));
    if (properties.data?.items !== undefined) return { rows: shapeOf(properties.data.items) };
    return 'dryRun' in properties ? { preview: shapeOf(schema) } : { record: shapeOf(schema) };
  };

  const answers: Record<string, object> = {};
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of METHODS) {
      const { responses = {}, 'x-answer-not-shown': isNotShown = false } = operations[method] ?? {};
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
      const { content } = components.responses[last(success ?? {})] ?? {};
      const json = content?.['application/json'];
      const key = `${method.toUpperCase()} ${path}`;
      if (success !== undefined && content === undefined) answers[key] = {};
      if (isNotShown) answers[key] = { anything: true };
      else if (json !== undefined) answers[key] = expected(json.schema);
    }
  }
  return `// Made from sandbox/openapi.yaml by \`npm run generate\`.
import type { JsonRoute } from './routes';

/** Fields that a record has at least, each with its JSON type, or with the fields that it has itself. */
export type RecordShape = { [field: string]: string | RecordShape };

/** What a 2xx answer holds at least: a record, the rows of a list, the preview of a dry run, or nothing. */
export interface ExpectedAnswer {
  record?: RecordShape;
  rows?: RecordShape;
  preview?: RecordShape;
  /** What it is answered with is not shown. */
  anything?: true;
}

/** What a 2xx answer of each route holds at least. */
export const EXPECTED_ANSWERS: Record<JsonRoute, ExpectedAnswer> = ${JSON.stringify(answers, null, 2)};
`;
}
