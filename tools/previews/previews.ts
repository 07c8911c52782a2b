import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../nodes/AccountingAgency/engine/operation';
import { RESOURCES } from '../../nodes/AccountingAgency/resources/registry';
import {
  shortCompany,
  shortCompanyPeriod,
  shortDocument,
  shortTask,
} from '../../nodes/AccountingAgency/fields/output';
import type { Schemas } from '../../nodes/shared/api/routes';
import { listOf, type Node, objectOf, OPERATIONS, resolve } from '../contract';
import { sample, shapeOf } from './sample';

/** Folder of the previews, as n8n looks for them beside version 1 of the node. */
export const PREVIEWS = join(__dirname, '../../nodes/AccountingAgency/__schema__/v1.0.0');

/** What "Simplify" makes of a record. */
const SHORT: { [K in keyof Schemas]?: (record: Schemas[K]) => IDataObject } = {
  Company: shortCompany,
  CompanyPeriod: shortCompanyPeriod,
  Document: shortDocument,
  Task: shortTask,
};

/** The call whose answer an operation outputs, where it is not the first of its calls. */
const ANSWERS: Record<string, string> = { 'document/upload': 'documents.create' };

/** Outputs that are no record of the contract. */
const OWN: Record<string, IDataObject> = {
  'webhookEndpoint/delete': { deleted: true, id: 'text' },
  // The specification does not show what the test call answers.
  'webhookEndpoint/sendTestEvent': {},
};

/**
 * The previews of every operation's output, made from the contract, as the node outputs them at first: simplified
 * where it can be.
 *
 * @returns path below the folder of the previews -> text of the file
 * @throws Error for an operation whose output is not to be found in the contract
 */
export function previews(): Map<string, string> {
  const files = RESOURCES.flatMap(({ value: resource, operations }) =>
    operations.map((operation): [string, string] => {
      const name = `${resource}/${operation.value}`;
      // n8n's own previews carry the version of their form.
      const preview = { ...shapeOf(OWN[name] ?? outputOf(name, operation)), version: 1 };
      return [`${name}.json`, `${JSON.stringify(preview, null, 2)}\n`];
    }),
  );
  return new Map(files);
}

function outputOf(name: string, { calls, fields }: Operation): IDataObject {
  const record = recordOf(ANSWERS[name] ?? calls[0] ?? '');
  const isSimplified = fields.some((field) => field.name === 'simplify' && field.default === true);
  return output(record, isSimplified);
}

function output<K extends keyof Schemas>(record: K, isSimplified: boolean): IDataObject {
  const made: Schemas[K] & IDataObject = JSON.parse(
    JSON.stringify(sample({ $ref: `#/components/schemas/${record}` }, resolve)),
  );
  if (!isSimplified) return made;
  const short = SHORT[record];
  if (short === undefined) throw new Error(`There is no simplified form of ${record}.`);
  return short(made);
}

/** The name of the record that an operation of the contract answers, or lists. */
function recordOf(operationId: string): keyof Schemas {
  const schema = objectOf(OPERATIONS.get(operationId)?.answer);
  const [first = schema] = listOf(schema.oneOf).map(objectOf);
  const { data } = objectOf(objectOf(resolved(first)).properties);
  const { $ref } = data === undefined ? first : objectOf(objectOf(data).items);
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
  if (isRecordName(name)) return name;
  throw new Error(`The contract has no record that ${operationId} answers.`);
}

function isRecordName(name: string | undefined): name is keyof Schemas {
  return name !== undefined && name in objectOf(resolve('#/components/schemas'));
}

function resolved(schema: Node): unknown {
  return typeof schema.$ref === 'string' ? resolve(schema.$ref) : schema;
}
