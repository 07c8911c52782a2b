import { Readable } from 'node:stream';
import mime from 'mime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agency } from '../agency/agency';
import { decide } from '../agency/approvals';
import { parseJson } from '../server/json-body';
import { iso, SECOND } from '../time/clock';
import { notFound } from '../server/errors';
import type { FaultPlan, Faults } from './faults';
import { fileDocument } from '../agency/documents';
import { NO_TYPE } from '../agency/file-types';
import { createKey } from '../access/keys';
import { makePastEvents, type PastEvents } from './past-events';
import { changeObligation, type ObligationChange } from '../agency/obligations';
import type { RequestLog } from './request-log';
import type { Access } from '../store/accesses';
import { companyExists } from '../store/companies';
import { writeMeta } from '../store/meta';
import { CONTROL_BODIES } from './bodies';

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

  const post = <Body>(
    path: string,
    body: object,
    handle: (body: Body, request: { id: string; reply: FastifyReply }) => unknown,
  ) =>
    app.post<{ Body: Body; Params: { id: string } }>(
      `/_sandbox/${path}`,
      { schema: { body }, bodyLimit: BODY_LIMIT },
      (request, reply) => handle(request.body as Body, { id: request.params.id, reply }),
    );
  const mustExist = (companyId: string) => {
    if (!companyExists(agency.db, companyId)) throw notFound('company');
  };

  post('reset', CONTROL_BODIES.reset, () => {
    reset();
    return { now: iso(agency.clock.now()) };
  });

  post<{ advanceSeconds: number }>('clock', CONTROL_BODIES.clock, async ({ advanceSeconds }) => {
    await agency.agenda.advance(advanceSeconds * SECOND);
    writeMeta(agency.db, 'clockOffset', String(agency.clock.offsetMs));
    return { now: iso(agency.clock.now()) };
  });

  post<{ apiAccess: boolean }>('plan', CONTROL_BODIES.plan, (plan) => {
    writeMeta(agency.db, 'apiAccess', String(plan.apiAccess));
    return plan;
  });

  post<Pick<Access, 'scopes' | 'companies'>>('keys', CONTROL_BODIES.keys, (rights) => {
    if (rights.companies !== 'all') rights.companies.forEach(mustExist);
    return { key: agency.db.transaction(() => createKey(agency.db, rights)) };
  });

  post<Arriving>('documents', CONTROL_BODIES.documents, async (arriving, { reply }) => {
    const { companyId, source, filename, contentBase64 } = arriving;
    mustExist(companyId);
    const blob = await agency.blobs.write(Readable.from([Buffer.from(contentBase64, 'base64')]));
    const mimeType = mime.getType(filename) ?? NO_TYPE;
    const arrival = { companyId, name: filename, originalFilename: filename, source, mimeType, blob };
    return reply.code(201).send(agency.db.transaction(() => fileDocument(agency, arrival)));
  });

  post<ObligationChange>('obligations/:id', CONTROL_BODIES.obligation, (change, { id }) =>
    agency.db.transaction(() => changeObligation(agency, Number(id), change)),
  );

  post<{ decision: 'approved' | 'rejected' }>(
    'approvals/:id/decide',
    CONTROL_BODIES.decision,
    ({ decision }, { id }) => ({ id, status: decide(agency, id, decision).status }),
  );

  post<FaultPlan[]>('faults', CONTROL_BODIES.faults, (plans) => {
    faults.plan(plans);
    return plans;
  });

  post<PastEvents>('events', CONTROL_BODIES.events, (wanted) => {
    if (wanted.companyId !== undefined) mustExist(wanted.companyId);
    agency.db.transaction(() => makePastEvents(agency, wanted));
    return { count: wanted.count };
  });

  app.get('/_sandbox/requests', () => log.all());
}
