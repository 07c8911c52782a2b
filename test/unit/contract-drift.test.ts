import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readDocument } from '../../tools/contract/document';
import { type Drift, driftOf, takesAway, USED } from '../../tools/contract/drift';
import { report } from '../../tools/contract/report';
import { operationIds } from '../support/contract';

interface Part {
  [name: string]: Part;
}

const text = readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8');
const known = readDocument(parse(text), 'known');

/** The part of a document at a path; a document without it lets the test fail. */
function at(document: Part, ...path: string[]): Part {
  return path.reduce((part, step) => {
    const next = part[step];
    if (next === undefined) throw new Error(`The contract has no ${step}`);
    return next;
  }, document);
}

/** What differs when the contract is changed, in short lines. */
function drift(change: (document: Part) => void): string[] {
  const document: Part = parse(text);
  change(document);
  return driftOf(known, readDocument(document, 'changed')).map(line);
}

const line = ({ kind, part, what, operations }: Drift): string =>
  `${kind}: ${part} ${what} (${operations.length})`;

const schema = (document: Part, name: string, ...path: string[]) =>
  at(document, 'components', 'schemas', name, ...path);

test('the nodes use every operation of the contract', () => {
  expect([...USED].sort()).toEqual(operationIds().sort());
});

test('the contract does not differ from itself, nor from another spelling of itself', () => {
  expect(drift(() => undefined)).toEqual([]);
  const respelled = (document: Part) => {
    const { '/companies/{id}': company, ...paths } = at(document, 'paths');
    Object.assign(document, {
      servers: [{ url: 'https://books.example/api/' }],
      paths: Object.fromEntries(
        Object.entries({ ...paths, '/companies/{companyId}': company }).map(([path, part]) => [
          `/v1${path}`,
          part,
        ]),
      ),
    });
  };
  expect(drift(respelled)).toEqual([]);
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
  const document: Part = parse(text);
  change(document);
  expect(driftOf(known, readDocument(document, 'changed')).some(takesAway)).toBe(false);
});

test('refusals that are listed one by one count as one', () => {
  const single = (...codes: string[]) => ({
    description: 'Refused',
    headers: { 'x-request-id': {}, 'retry-after': {}, allow: {} },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              allOf: [
                { $ref: '#/components/schemas/ErrorBody' },
                { type: 'object', properties: { code: { type: 'string', enum: codes } } },
              ],
            },
          },
        },
      },
    },
  });
  const whole = Object.values(schema(parse(text), 'ErrorCode', 'enum')).map(String);
  const listed = (codes: string[]) => (document: Part) => {
    const { responses } = at(document, 'paths', '/companies', 'get');
    delete responses?.default;
    Object.assign(responses ?? {}, {
      400: single(...codes.slice(0, 4)),
      500: single(...codes.slice(4)),
    });
  };
  expect(drift(listed(whole))).toEqual([]);
  expect(drift(listed(whole.slice(1)))).toEqual(['removed: refusal.error.code value "VALIDATION_ERROR" (1)']);
});

test('a schema that holds itself is compared down to its second turn', () => {
  const nested = (document: Part) =>
    Object.assign(schema(document, 'Subject', 'properties'), {
      parent: { $ref: '#/components/schemas/Subject' },
    });
  expect(drift(nested)).toContain('added: answer.subject.parent is new (1)');
});

test('the report names kind, place and operations, and sums up', () => {
  const changed: Drift = {
    kind: 'removed',
    part: 'body.address',
    what: 'is no longer there',
    operations: ['PATCH /companies/{id}'],
  };
  expect(report([changed]).split('\n')).toEqual([
    'removed   body.address is no longer there',
    '          in PATCH /companies/{id}',
    '1 difference; 1 of them takes away something that the nodes use.',
  ]);
  expect(report([{ ...changed, kind: 'added' }])).toContain(
    '1 difference; everything that the nodes use is still there.',
  );
  expect(report([])).toBe('No difference: everything that the nodes use is as they know it.');
});

test('what is no OpenAPI description is named as such', () => {
  expect(() => readDocument({ message: 'hello' }, 'https://agency.example')).toThrow(
    'https://agency.example is not an OpenAPI description. Check the address of the agency.',
  );
});
