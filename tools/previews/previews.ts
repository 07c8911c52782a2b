import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { RESOURCES } from '../../nodes/AccountingAgency/resources/registry';
import { picked } from '../../nodes/AccountingAgency/fields/output';
import * as views from '../../nodes/AccountingAgency/fields/record-views';
import type { Schemas } from '../../nodes/shared/api/routes';
import { operationOf, resolve } from '../contract';
import { sample, shapeOf } from './sample';

/** Folder of the previews, as n8n looks for them beside version 1 of the node. */
export const PREVIEWS = join(__dirname, '../../nodes/AccountingAgency/__schema__/v1.0.0');

/** How each kind of record is output. */
export const VIEWS: { [K in keyof Schemas]?: views.RecordView<Schemas[K]> } = {
  Company: views.companyView,
  CompanyPeriod: views.companyPeriodView,
  CompanyPlaybook: views.playbookView,
  CompanySettings: views.settingsView,
  Document: views.documentView,
  Event: views.eventView,
  File: views.fileView,
  Task: views.taskView,
  WebhookDelivery: views.deliveryView,
  WebhookEndpoint: views.endpointView,
};

/** The call whose answer an operation outputs, where it is not the first of its calls. */
const ANSWERS: Record<string, string> = { 'document/upload': 'documents.create' };

/** Outputs that are no record of the contract. */
const OWN: Record<string, IDataObject> = {
  'monthEndWork/getObligations': simplified(
    { ...recordSample('CompanyPeriod'), ...recordSample('Obligation') },
    views.obligationView,
  ),
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
      const record = () => recordOf(ANSWERS[name] ?? operation.calls[0] ?? '');
      const preview = { ...shapeOf(OWN[name] ?? simplifiedSample(record())), version: 1 };
      return [`${name}.json`, `${JSON.stringify(preview, null, 2)}\n`];
    }),
  );
  return new Map(files);
}

function simplifiedSample<K extends keyof Schemas>(record: K): IDataObject {
  const view = VIEWS[record];
  return view === undefined ? recordSample(record) : simplified(recordSample(record), view);
}

function simplified<T extends object>(record: T, view: views.RecordView<T>): IDataObject {
  return picked(record, view, view.simplified);
}

/** A record of the contract with every field. */
export function recordSample<K extends keyof Schemas>(record: K): Schemas[K] & IDataObject {
  return JSON.parse(JSON.stringify(sample({ $ref: `#/components/schemas/${record}` })));
}

/** The name of the record that an operation of the contract answers, or lists. */
function recordOf(operationId: string): keyof Schemas {
  const schema = operationOf(operationId)?.answer ?? {};
  const [first = schema] = schema.oneOf ?? [];
  const { data } = resolve(first).properties ?? {};
  const name = (data?.items ?? first).$ref?.split('/').at(-1);
  if (name === undefined) throw new Error(`The contract has no record that ${operationId} answers.`);
  return name as keyof Schemas;
}
