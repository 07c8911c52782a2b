import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { approvalPage, noticePage } from './approval';
import { adminPage } from './overview';
import { adminView, approvalView } from './views';
import type { Agency } from '../agency/agency';
import { approvalPath, decide } from '../agency/approvals';
import { ApiError, notFound } from '../server/errors';
import { findApproval } from '../store/approvals';

const HTML = 'text/html; charset=utf-8';

/** Nothing but the sandbox's own styles and forms; the stylesheet's icons are data URLs. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The stylesheets, by the names under which the pages link them. */
const STYLES = {
  'pico.css': require.resolve('@picocss/pico/css/pico.classless.min.css'),
  'admin.css': join(__dirname, 'admin.css'),
};

const show = (reply: FastifyReply, html: string): FastifyReply =>
  reply.type(HTML).header('content-security-policy', POLICY).header('cache-control', 'no-store').send(html);

function pageOf(agency: Agency, id: string): string {
  const approval = findApproval(agency.db, id, agency.clock.now());
  if (!approval) throw notFound('approval');
  return approvalPage(approvalView(agency, approval));
}

/** The pages for a person: what waits for a decision, and what happened. */
export function registerAdmin(app: FastifyInstance, agency: Agency): void {
  app.setErrorHandler((reason, _request, reply) => {
    if (!(reason instanceof ApiError)) throw reason;
    return show(reply.code(reason.status), noticePage('Not possible', reason.message));
  });

  for (const [name, path] of Object.entries(STYLES)) {
    app.get(`/admin/${name}`, (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(readFileSync(path)),
    );
  }

  app.get('/admin', (_request, reply) => show(reply, adminPage(adminView(agency))));

  app.get<{ Params: { id: string } }>('/admin/approvals/:id', ({ params }, reply) =>
    show(reply, pageOf(agency, params.id)),
  );

  app.post<{ Params: { id: string }; Body: { decision?: string } }>(
    '/admin/approvals/:id',
    ({ params, body }, reply) => {
      const { decision } = body ?? {};
      if (decision !== 'approved' && decision !== 'rejected') {
        throw new ApiError('VALIDATION_ERROR', 'Choose to approve or reject the change.');
      }
      decide(agency, params.id, decision);
      return reply.redirect(approvalPath(params.id), 303);
    },
  );
}
