import { takesAway, USED } from '../../../tools/contract/drift';
import { operationIds } from '../../support/contract';
import { at, drift, drifts, type Part, schema } from '../../support/drift';

test('the nodes use every operation of the contract', () => {
  expect([...USED].sort()).toEqual(operationIds().sort());
});

test.each<[string, (document: Part) => void, string[]]>([
  [
    'an operation that has gone',
    (document) => delete at(document, 'paths')['/tasks/{id}/result'],
    ['removed: operation is no longer there (1)'],
  ],
  [
    'a parameter that has gone',
    (document) => Object.assign(at(document, 'paths', '/companies', 'get'), { parameters: [] }),
    [
      'removed: parameter query is no longer there (1)',
      'removed: parameter limit is no longer there (1)',
      'removed: parameter cursor is no longer there (1)',
    ],
  ],
  [
    'a field of a body that has gone',
    (document) => delete schema(document, 'CompanyUpdate', 'properties').address,
    ['removed: body.address is no longer there (1)'],
  ],
  [
    'a field of an answer that has gone',
    (document) => {
      delete schema(document, 'DocumentFile', 'properties').sha256;
    },
    [
      'removed: answer.data[].file.sha256 is no longer there (1)',
      'removed: answer.file.sha256 is no longer there (2)',
    ],
  ],
  [
    'a value that has gone, where it is sent and where it comes',
    (document) => Object.assign(schema(document, 'CompanyPeriodStatus'), { enum: ['done', 'open'] }),
    ['removed: parameter status value "overdue" (1)', 'removed: answer.data[].status value "overdue" (1)'],
  ],
  [
    'an answer that has gone',
    (document) => {
      const { responses } = at(document, 'paths', '/companies/{id}', 'get');
      Object.assign(responses ?? {}, { '204': responses?.['200'] });
      delete responses?.['200'];
    },
    ['removed: answer 200 is no longer there (1)'],
  ],
  [
    'a header of refusals that has gone',
    (document) => delete at(document, 'components', 'responses', 'Error', 'headers')['Retry-After'],
    [`removed: refusal header retry-after is no longer there (${operationIds().length})`],
  ],
])('tells %s', (_, change, expected) => {
  expect(drift(change)).toEqual(expected);
});

test.each<[string, (document: Part) => void, string[]]>([
  [
    'a field that must be sent now',
    (document) =>
      Object.assign(schema(document, 'DocumentCreate'), { required: ['fileId', 'companyId', 'filename'] }),
    ['narrowed: body.filename is now required (1)'],
  ],
  [
    'a new parameter that must be sent',
    (document) =>
      Object.assign(at(document, 'paths', '/documents', 'get'), {
        parameters: [
          ...Object.values(at(document, 'paths', '/documents', 'get', 'parameters')),
          { name: 'tenant', in: 'header', required: true, schema: { type: 'string' } },
        ],
      }),
    ['narrowed: parameter tenant is new and required (1)'],
  ],
  [
    'a value that cannot be cleared any more',
    (document) =>
      Object.assign(schema(document, 'CompanyUpdate', 'properties', 'address'), { type: 'string' }),
    ['narrowed: body.address is no longer null (1)'],
  ],
  [
    'tighter limits',
    (document) => {
      Object.assign(at(document, 'components', 'parameters', 'Limit', 'schema'), { maximum: 100 });
      Object.assign(schema(document, 'CompanyPlaybookReplace', 'properties', 'markdown'), { minLength: 1 });
    },
    [
      'narrowed: parameter limit maximum is 100 instead of 200 (5)',
      'narrowed: body.markdown minLength is 1 instead of none (1)',
    ],
  ],
  [
    'a field of an answer that may be missing or null',
    (document) => {
      const file = schema(document, 'File');
      Object.assign(file, { required: Object.values(at(file, 'required')).slice(0, -1) });
      Object.assign(at(file, 'properties', 'sha256'), { type: ['string', 'null'] });
    },
    ['narrowed: answer.sha256 may now be null (2)', 'narrowed: answer.documentId may now be missing (2)'],
  ],
  [
    'another scope',
    (document) =>
      Object.assign(at(document, 'paths', '/events', 'get'), { security: [{ bearer: ['events:list'] }] }),
    ['narrowed: key needs the scope events:list (1)'],
  ],
])('tells %s', (_, change, expected) => {
  expect(drift(change)).toEqual(expected);
});

test.each<[string, (document: Part) => void, string[]]>([
  [
    'a new operation',
    (document) =>
      Object.assign(at(document, 'paths', '/companies'), { post: { operationId: 'companies.create' } }),
    ['added: operation is new (1)'],
  ],
  [
    'new fields and values',
    (document) => {
      Object.assign(schema(document, 'WebhookEndpointUpdate', 'properties'), {
        timeout: { type: 'integer' },
      });
      Object.assign(schema(document, 'WebhookTestResult', 'properties'), { attempt: { type: 'integer' } });
      Object.assign(schema(document, 'DeliveryStatus'), {
        enum: ['pending', 'succeeded', 'failed', 'paused'],
      });
    },
    [
      'added: body.timeout is new (1)',
      'added: answer.attempt is new (1)',
      'added: answer.data[].status value "paused" (1)',
    ],
  ],
  [
    'looser limits and more types',
    (document) => {
      Object.assign(at(document, 'components', 'parameters', 'Limit', 'schema'), { maximum: 500 });
      Object.assign(schema(document, 'WebhookEndpointUpdate', 'properties', 'url'), {
        type: ['string', 'null'],
      });
      Object.assign(schema(document, 'DocumentCreate'), { required: ['fileId'] });
    },
    [
      'widened: parameter limit maximum is 500 instead of 200 (5)',
      'widened: body.companyId is no longer required (1)',
      'widened: body.url may now be null (1)',
    ],
  ],
])('tells %s, which take nothing away', (_, change, expected) => {
  expect(drift(change)).toEqual(expected);
  expect(drifts(change).some(takesAway)).toBe(false);
});
