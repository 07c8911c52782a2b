import { readDocument } from '../../../tools/contract/document';
import type { Drift } from '../../../tools/contract/drift';
import { report } from '../../../tools/contract/report';
import { at, contractCopy, drift, type Part, schema } from '../../support/drift';

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
  const whole = Object.values(schema(contractCopy(), 'ErrorCode', 'enum')).map(String);
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
