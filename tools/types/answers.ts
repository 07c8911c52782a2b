import { OPERATIONS, resolve, type Schema } from '../contract';

type Shape = { [field: string]: string | Shape };

function shapeOf(schema: Schema): Shape {
  const { properties = {}, 'x-identified-by': fields = [] } = resolve(schema);
  return Object.fromEntries(fields.map((field) => [field, kindOf(properties[field] ?? {})]));
}

function kindOf(schema: Schema): string | Shape {
  const { type = 'string', 'x-identified-by': fields } = resolve(schema);
  return fields === undefined ? String(type) : shapeOf(schema);
}

function expected(schema: Schema): Record<string, Shape> {
  const { oneOf, properties = {} } = resolve(schema);
  if (oneOf !== undefined) return Object.assign({}, ...oneOf.map(expected));
  if (properties.data?.items !== undefined) return { rows: shapeOf(properties.data.items) };
  return 'dryRun' in properties ? { preview: shapeOf(schema) } : { record: shapeOf(schema) };
}

/**
 * The module `nodes/shared/api/expected-answers.ts`: for each operation of the contract that answers JSON, or nothing,
 * the fields and types without which a 2xx answer is not the agency's.
 */
export function answersModule(): string {
  const answers: Record<string, object> = {};
  for (const { method, path, answer, answersNothing, isAnswerShown } of OPERATIONS) {
    const key = `${method} ${path}`;
    if (!isAnswerShown) answers[key] = { anything: true };
    else if (answersNothing) answers[key] = {};
    else if (answer !== undefined) answers[key] = expected(answer);
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
