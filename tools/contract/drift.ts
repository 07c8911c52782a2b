import { RESOURCES } from '../../nodes/AccountingAgency/resources/registry';
import { type Difference, type Direction, type Kind, shapeDifferences } from './differences';
import { type ApiDocument, type ApiOperation, contentOf, parameterKey } from './document';
import { either, shapeOf } from './shape';
import { type Node, objectOf } from './values';

/** A difference, and the operations in which it is. */
export interface Drift extends Difference {
  operations: string[];
}

const GONE = 'is no longer there';

/** What the trigger node calls; its list of companies is the action node's. */
const TRIGGER_CALLS = ['webhookEndpoints.create', 'webhookEndpoints.update', 'webhookEndpoints.delete'];

/** The operations of the contract that the nodes call, by `operationId`. */
export const USED: ReadonlySet<string> = new Set([
  ...RESOURCES.flatMap(({ operations }) => operations.flatMap(({ calls }) => calls)),
  ...TRIGGER_CALLS,
]);

/** Whether a change takes something from the nodes. */
export const takesAway = ({ kind }: { kind: Kind }): boolean => kind === 'removed' || kind === 'narrowed';

/**
 * What a published contract has else than the known one, in the operations that the nodes use; and the operations
 * that are new. What takes something from the nodes comes first.
 */
export function driftOf(known: ApiDocument, published: ApiDocument, used = USED): Drift[] {
  const byKey = new Map(published.operations.map((operation) => [operation.key, operation]));
  const compared = known.operations
    .filter(({ id }) => used.has(id))
    .flatMap((operation): Drift[] => {
      const now = byKey.get(operation.key);
      const found: Difference[] = now
        ? operationDifferences(operation, now, { known, published })
        : [{ kind: 'removed', part: 'operation', what: GONE }];
      return found.map((difference) => ({ ...difference, operations: [operation.name] }));
    });
  const knownKeys = new Set(known.operations.map(({ key }) => key));
  const added = published.operations
    .filter(({ key }) => !knownKeys.has(key))
    .map(({ name }): Drift => ({ kind: 'added', part: 'operation', what: 'is new', operations: [name] }));
  return sorted(merged([...compared, ...added]));
}

interface Documents {
  known: ApiDocument;
  published: ApiDocument;
}

function operationDifferences(
  known: ApiOperation,
  published: ApiOperation,
  documents: Documents,
): Difference[] {
  return [
    ...scopeDifferences(known, published),
    ...parameterDifferences(known, published, documents),
    ...contentDifferences(known.body, [published.body], 'body', 'request', documents),
    ...answerDifferences(known, published, documents),
  ];
}

function scopeDifferences({ scopes: before }: ApiOperation, { scopes }: ApiOperation): Difference[] {
  return scopes
    .filter((scope) => !before.includes(scope))
    .map((scope) => ({ kind: 'narrowed', part: 'key', what: `needs the scope ${scope}` }));
}

function parameterDifferences(
  known: ApiOperation,
  published: ApiOperation,
  documents: Documents,
): Difference[] {
  const byKey = new Map(published.parameters.map((parameter) => [parameterKey(parameter), parameter]));
  const kept = known.parameters.flatMap((parameter): Difference[] => {
    const part = `parameter ${String(parameter.name)}`;
    const now = byKey.get(parameterKey(parameter));
    if (!now) return [{ kind: 'removed', part, what: GONE }];
    const required: Difference[] =
      now.required === true && parameter.required !== true
        ? [{ kind: 'narrowed', part, what: 'is now required' }]
        : [];
    return [...required, ...schemaDifferences(parameter.schema, [now.schema], part, 'request', documents)];
  });
  const keys = known.parameters.map(parameterKey);
  const more = published.parameters
    .filter((parameter) => !keys.includes(parameterKey(parameter)))
    .map(({ name, required }): Difference => {
      const part = `parameter ${String(name)}`;
      return required === true
        ? { kind: 'narrowed', part, what: 'is new and required' }
        : { kind: 'added', part, what: 'is new' };
    });
  return [...kept, ...more];
}

/** Success by status; everything else as one, since a published contract may list each refusal by itself. */
function answerDifferences(known: ApiOperation, published: ApiOperation, documents: Documents): Difference[] {
  return [...known.responses].flatMap(([status, before]): Difference[] => {
    const part = status === 'default' ? 'refusal' : 'answer';
    const answers = [...published.responses]
      .filter(([now]) =>
        status === 'default' ? /^(default|[45])/.test(now) : now === status || now === `${status[0]}XX`,
      )
      .map(([, answer]) => answer);
    if (answers.length === 0) return [{ kind: 'removed', part: `${part} ${status}`, what: GONE }];
    const headers = new Set(answers.flatMap((answer) => headersOf(answer)));
    const lost = headersOf(before).filter((header) => !headers.has(header));
    return [
      ...lost.map((header): Difference => ({
        kind: 'removed',
        part: `${part} header ${header}`,
        what: GONE,
      })),
      ...contentDifferences(contentOf(before), answers.map(contentOf), part, 'answer', documents),
    ];
  });
}

const headersOf = ({ headers }: Node): string[] =>
  Object.keys(objectOf(headers)).map((header) => header.toLowerCase());

/** @param published the possible contents; together they are what may come or go */
function contentDifferences(
  known: ReadonlyMap<string, unknown>,
  published: ReadonlyMap<string, unknown>[],
  part: string,
  direction: Direction,
  documents: Documents,
): Difference[] {
  return [...known].flatMap(([type, schema]): Difference[] => {
    const schemas = published.flatMap((content) =>
      [type, '*/*']
        .filter((one) => content.has(one))
        .slice(0, 1)
        .map((one) => content.get(one)),
    );
    if (schemas.length === 0) return [{ kind: 'removed', part: `${part} ${type}`, what: GONE }];
    return schemaDifferences(schema, schemas, part, direction, documents);
  });
}

function schemaDifferences(
  before: unknown,
  now: unknown[],
  part: string,
  direction: Direction,
  { known, published }: Documents,
): Difference[] {
  const shapes = now.map((schema) => shapeOf(schema, published.resolve));
  return shapeDifferences({
    known: shapeOf(before, known.resolve),
    published: shapes.reduce(either),
    part,
    direction,
  });
}

/** One entry for the same difference in several operations. */
function merged(drifts: Drift[]): Drift[] {
  const byText = new Map<string, Drift>();
  for (const drift of drifts) {
    const text = [drift.kind, drift.part, drift.what, drift.part === 'operation' && drift.operations].join(
      ' ',
    );
    const operations = new Set([...(byText.get(text)?.operations ?? []), ...drift.operations]);
    byText.set(text, { ...drift, operations: [...operations] });
  }
  return [...byText.values()];
}

const ORDER: Kind[] = ['removed', 'narrowed', 'added', 'widened'];

const sorted = (drifts: Drift[]): Drift[] =>
  [...drifts].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
