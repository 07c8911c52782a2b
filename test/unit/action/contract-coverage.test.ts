import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { EXPLAINED_CODES } from '../../../nodes/shared/api/errors/error-messages';
import { type Contract, readContract } from '../../../tools/contract';
import { gaps } from '../../support/sandbox/coverage';

/** The contract with one thing more. */
function changed(change: (contract: Contract) => void): Contract {
  const copy = readContract();
  change(copy);
  return copy;
}

/** A part of the contract that the test counts on. */
function part<T>(parts: Record<string, T>, name: string): T {
  const found = parts[name];
  if (found === undefined) throw new Error(`The contract has no ${name}`);
  return found;
}

test('every operation, parameter, body property and value of the contract is in the node', () => {
  expect(gaps(readContract(), RESOURCES)).toEqual([]);
});

test.each<[string, Contract, string[]]>([
  [
    'an operation',
    changed(({ paths }) => {
      part(paths, '/companies').post = { operationId: 'companies.create', security: [], responses: {} };
    }),
    ['companies.create: no operation'],
  ],
  [
    'a parameter',
    changed(({ paths }) => {
      const added = { name: 'subjectId', in: 'query', schema: { type: 'string' } } as const;
      part(part(paths, '/events'), 'get').parameters?.push(added);
    }),
    ['events.list: parameter subjectId'],
  ],
  [
    'a body property',
    changed(({ components }) => {
      const { properties = {} } = part(components.schemas, 'WebhookEndpointUpdate');
      properties.timeoutSeconds = { type: 'integer' };
    }),
    ['webhookEndpoints.update: body.timeoutSeconds'],
  ],
  [
    'a value',
    changed(({ components }) => {
      part(components.schemas, 'CompanyPeriodStatus').enum?.push('waiting');
    }),
    ['companyPeriods.list: parameter status = waiting'],
  ],
  [
    'a value of a list in a body',
    changed(({ components }) => {
      part(components.schemas, 'EndpointEventType').enum?.push('file.deleted');
    }),
    [
      'webhookEndpoints.create: body.eventTypes = file.deleted',
      'webhookEndpoints.update: body.eventTypes = file.deleted',
    ],
  ],
  [
    'a nested property',
    changed(({ components }) => {
      const { properties = {} } = part(components.schemas, 'CatalogValue');
      properties.currency = { type: 'string' };
    }),
    ['companySettings.update: body.accountingPolicy.fields.defaultValue.currency'],
  ],
  [
    'a row',
    changed(({ components }) => {
      part(components.schemas, 'PolicyFieldName').enum?.push('project');
    }),
    ['companySettings.update: body.accountingPolicy.fields.field'],
  ],
])('finds %s that the node lacks', (_, more, missing) => {
  expect(gaps(more, RESOURCES)).toEqual(missing);
});

test('finds an operation of the node that the contract lacks', () => {
  const less = changed(({ paths }) => {
    delete paths['/tasks/{id}/result'];
  });
  expect(gaps(less, RESOURCES)).toEqual(['Submit task result: calls tasks.submitResult, which there is not']);
});

test('every error code of the contract has an explanation, and no other', () => {
  const { enum: codes = [] } = part(readContract().components.schemas, 'ErrorCode');
  expect([...EXPLAINED_CODES].sort()).toEqual([...codes].sort());
});
