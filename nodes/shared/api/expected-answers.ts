// Made from sandbox/openapi.yaml by `npm run generate`.
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
export const EXPECTED_ANSWERS: Record<JsonRoute, ExpectedAnswer> = {
  'GET /companies': {
    rows: {
      id: 'string',
      name: 'string',
    },
  },
  'GET /companies/{id}': {
    record: {
      id: 'string',
      name: 'string',
    },
  },
  'PATCH /companies/{id}': {
    record: {
      id: 'string',
      name: 'string',
    },
    preview: {
      changes: 'array',
      result: {
        id: 'string',
        name: 'string',
      },
    },
  },
  'GET /companies/{id}/settings': {
    record: {
      companyId: 'string',
      accountingPolicy: {
        fields: 'array',
      },
      agent: 'object',
    },
  },
  'PATCH /companies/{id}/settings': {
    record: {
      companyId: 'string',
      accountingPolicy: {
        fields: 'array',
      },
      agent: 'object',
    },
    preview: {
      changes: 'array',
      result: {
        companyId: 'string',
        accountingPolicy: {
          fields: 'array',
        },
        agent: 'object',
      },
    },
  },
  'GET /companies/{id}/playbook': {
    record: {
      companyId: 'string',
      version: 'integer',
      markdown: 'string',
    },
  },
  'PUT /companies/{id}/playbook': {
    record: {
      companyId: 'string',
      version: 'integer',
      markdown: 'string',
    },
  },
  'GET /documents': {
    rows: {
      id: 'string',
      stage: 'string',
    },
  },
  'POST /documents': {
    record: {
      id: 'string',
      stage: 'string',
    },
  },
  'GET /documents/{id}': {
    record: {
      id: 'string',
      stage: 'string',
    },
  },
  'POST /files': {
    record: {
      id: 'string',
      filename: 'string',
    },
  },
  'GET /files/{id}': {
    record: {
      id: 'string',
      filename: 'string',
    },
  },
  'GET /company-periods': {
    rows: {
      id: 'string',
      companyId: 'string',
      period: 'string',
      counts: 'object',
      obligations: 'array',
      documents: 'object',
    },
  },
  'POST /tasks/{id}/result': {
    record: {
      id: 'string',
      status: 'string',
      subject: 'object',
    },
  },
  'GET /events': {
    rows: {
      id: 'string',
      type: 'string',
      subject: 'object',
    },
  },
  'POST /webhook-endpoints': {
    record: {
      id: 'string',
    },
  },
  'PATCH /webhook-endpoints/{id}': {
    anything: true,
  },
  'DELETE /webhook-endpoints/{id}': {},
  'POST /webhook-endpoints/{id}/test': {
    anything: true,
  },
  'GET /webhook-endpoints/{id}/deliveries': {
    rows: {
      eventId: 'string',
      status: 'string',
    },
  },
};
