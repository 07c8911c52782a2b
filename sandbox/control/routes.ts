import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Agency } from '../agency/agency';
import { decide } from '../agency/approvals';
import { parseJson } from '../server/json-body';
import { iso, SECOND } from '../time/clock';
import { notFound } from '../server/errors';
import type { FaultPlan, Faults } from './faults';
import { fileDocument } from '../agency/documents';
import { createKey } from '../access/keys';
import { makePastEvents, type PastEvents } from './past-events';
import { changeObligation, type ObligationChange } from '../agency/obligations';
import type { Scope } from '../records';
import type { RequestLog } from './request-log';
import { companyExists } from '../store/companies';
import { writeMeta } from '../store/meta';
import { CONTROL_BODIES } from './bodies';
import { mimeTypeOf } from './mime-types';

/** What the control routes need. */
export interface ControlParts {
  agency: Agency;
  faults: Faults;
  log: RequestLog;
  /** Sets everything back to the seed. */
  reset(): void;
}

/** Enough for a document of 48 MB in base64. */
const BODY_LIMIT = 72 * 1024 * 1024;

interface Arriving {
  companyId: string;
  source: string;
  filename: string;
  contentBase64: string;
}

interface NewKey {
  scopes: Scope[];
  companies: 'all' | string[];
}

/** The routes under `/_sandbox`, by which tests and people drive the sandbox. */
export function registerControl(app: FastifyInstance, { agency, faults, log, reset }: ControlParts): void {
  // JSON whatever it says to be, so that a plain `curl -d` does; nothing is an empty object.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text.trim() === '' ? {} : parseJson(text),
  );
  app.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {};
  });

  app.post('/_sandbox/reset', { schema: { body: CONTROL_BODIES.reset } }, () => {
    reset();
    return { now: iso(agency.clock.now()) };
  });

  app.post<{ Body: { advanceSeconds: number } }>(
    '/_sandbox/clock',
    { schema: { body: CONTROL_BODIES.clock } },
    async ({ body }) => {
      await agency.agenda.advance(body.advanceSeconds * SECOND);
      writeMeta(agency.db, 'clockOffset', String(agency.clock.offsetMs));
      return { now: iso(agency.clock.now()) };
    },
  );

  app.post<{ Body: { apiAccess: boolean } }>(
    '/_sandbox/plan',
    { schema: { body: CONTROL_BODIES.plan } },
    ({ body }) => {
      writeMeta(agency.db, 'apiAccess', String(body.apiAccess));
      return body;
    },
  );

  app.post<{ Body: NewKey }>('/_sandbox/keys', { schema: { body: CONTROL_BODIES.keys } }, ({ body }) => {
    const known = (id: string) => companyExists(agency.db, id);
    if (body.companies !== 'all' && !body.companies.every(known)) throw notFound('company');
    return { key: agency.db.transaction(() => createKey(agency.db, body)) };
  });

  app.post<{ Body: Arriving }>(
    '/_sandbox/documents',
    { schema: { body: CONTROL_BODIES.documents }, bodyLimit: BODY_LIMIT },
    async ({ body }, reply) => {
      const { companyId, source, filename, contentBase64 } = body;
      if (!companyExists(agency.db, companyId)) throw notFound('company');
      const blob = await agency.blobs.write(Readable.from([Buffer.from(contentBase64, 'base64')]));
      const mimeType = mimeTypeOf(filename);
      const arrival = { companyId, name: filename, originalFilename: filename, source, mimeType, blob };
      return reply.code(201).send(agency.db.transaction(() => fileDocument(agency, arrival)));
    },
  );

  app.post<{ Params: { id: string }; Body: ObligationChange }>(
    '/_sandbox/obligations/:id',
    { schema: { body: CONTROL_BODIES.obligation } },
    ({ params, body }) => agency.db.transaction(() => changeObligation(agency, Number(params.id), body)),
  );

  app.post<{ Params: { id: string }; Body: { decision: 'approved' | 'rejected' } }>(
    '/_sandbox/approvals/:id/decide',
    { schema: { body: CONTROL_BODIES.decision } },
    ({ params, body }) => {
      const { id, status } = decide(agency, params.id, body.decision);
      return { id, status };
    },
  );

  app.post<{ Body: FaultPlan[] }>(
    '/_sandbox/faults',
    { schema: { body: CONTROL_BODIES.faults } },
    ({ body }) => {
      faults.plan(body);
      return body;
    },
  );

  app.post<{ Body: PastEvents }>(
    '/_sandbox/events',
    { schema: { body: CONTROL_BODIES.events } },
    ({ body }) => {
      if (body.companyId !== undefined && !companyExists(agency.db, body.companyId))
        throw notFound('company');
      agency.db.transaction(() => makePastEvents(agency, body));
      return { count: body.count };
    },
  );

  app.get('/_sandbox/requests', () => log.all());
}
