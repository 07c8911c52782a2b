import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { maxHeaderSize } from 'node:http';
import { SCOPES } from '../access/scopes';
import { registerAdmin } from '../admin/routes';
import { faultError, holdBack, spoil, type Payload } from '../control/faults';
import type { LoggedRequest } from '../control/request-log';
import { registerControl, type ControlParts } from '../control/routes';
import { newId, sha256 } from '../ids';
import { readMeta } from '../store/meta';
import { iso } from '../time/clock';
import { API_ROOT } from './contract';
import { ApiError, invalid, notFound } from './errors';
import { noteUnread } from './json-body';
import { checkLoopback } from './loopback';
import { registerApi, type ApiParts } from './operation-routes';
import { canonicalTarget, KnownPaths, pathOf, sentPathOf } from './paths';
import { breakConnection, sendError } from './reply';

const NOTHING = sha256('');

/** What everybody may read. */
const CONTRACT_PATH = `${API_ROOT}/openapi.json`;
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** What the routes need. */
export type ServerParts = ApiParts & ControlParts;

/** The HTTP server with all its routes, not yet listening. */
export function buildServer(parts: ServerParts): FastifyInstance {
  const known = new KnownPaths();
  const app = Fastify({
    genReqId: () => newId('req'),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Node.js would refuse a request without `Host` on its own, without a request id.
    http: { requireHostHeader: false },
    rewriteUrl: ({ url = '' }) => canonicalTarget(url),
    // Any parameter that Node.js takes reaches the contract's check.
    routerOptions: { maxParamLength: maxHeaderSize },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true } },
    frameworkErrors: (reason, request, reply) => {
      void reply.header('x-request-id', request.id);
      void sendError(reason, request, reply);
    },
    clientErrorHandler: (reason, socket) => {
      const body = JSON.stringify(unreadable(reason).body());
      if (!socket.writable || ('code' in reason && reason.code === 'ECONNRESET')) socket.destroy();
      else
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${newId('req')}\r\n` +
            `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
        );
    },
  });
  // The same for a request with an expectation that Node.js does not know.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRoute', (route) => known.add(route));
  app.decorateRequest('visit');
  app.addHook('onRequest', (request, reply) => arrive(parts, request, reply));
  app.addHook('onSend', async (request, reply, payload: Payload) => {
    const sent = await spoil(request, reply, payload);
    if (request.visit) request.visit.logged.status = reply.statusCode;
    return sent;
  });
  // Nobody reads a body that comes to an unknown path.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async () => undefined);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request) => {
    throw unknownPath(known, request);
  });
  registerPublic(app, parts);
  void app.register(async (api) => registerApi(api, parts));
  void app.register(async (control) => {
    control.addHook('onRequest', checkLoopback);
    registerControl(control, parts);
  });
  void app.register(async (admin) => {
    admin.addHook('onRequest', checkLoopback);
    await admin.register(formbody);
    registerAdmin(admin, parts.agency);
  });
  return app;
}

const unreadable = ({ message }: Error) =>
  invalid([{ path: '', message: `The request is not HTTP: ${message}` }]);

/** What everybody may read: the contract, and what the OAuth resource is (RFC 9728). */
function registerPublic(app: FastifyInstance, { contract, agency }: ServerParts): void {
  app.get(CONTRACT_PATH, () => contract.published(agency.address()));
  app.get(RESOURCE_PATH, () => ({
    resource: agency.address(),
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Accounting agency sandbox',
  }));
}

/** What happens to every request before its route: its id, its log entry, planned faults, the agency's plan. */
async function arrive(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  void reply.header('x-request-id', request.id);
  const path = pathOf(request);
  if (!path.startsWith(`${API_ROOT}/`)) return undefined;
  const logged = logEntry(request, parts.agency.clock.now());
  parts.log.add(logged);
  request.visit = { logged };
  if (path === CONTRACT_PATH) return undefined;
  const fault = parts.faults.take(logged.method, logged.path);
  request.visit.fault = fault;
  if (fault?.fault === 'reset-before' || fault?.fault === 'status') {
    await noteUnread(request);
    await holdBack(request);
    if (fault.fault === 'status') throw faultError(fault);
    return breakConnection(reply);
  }
  if (readMeta(parts.agency.db, 'apiAccess') === 'false') {
    throw new ApiError('FEATURE_NOT_INCLUDED', "The agency's plan does not include API and MCP access.", {
      hint: 'Ask the agency to change its plan.',
      details: { feature: 'API and MCP access' },
    });
  }
  return undefined;
}

function logEntry(request: FastifyRequest, now: number): LoggedRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name !== 'authorization'),
  );
  const query = request.query as Record<string, unknown>;
  const { method } = request;
  const path = sentPathOf(request);
  return { method, path, query, headers, bodyLength: 0, bodySha256: NOTHING, status: null, time: iso(now) };
}

/** 405 for a known path with another method, else 404. */
function unknownPath(known: KnownPaths, request: FastifyRequest): ApiError {
  const methods = known.methodsOf(pathOf(request));
  if (methods.length === 0) return notFound('path');
  return new ApiError('METHOD_NOT_ALLOWED', `This path does not support ${request.method}.`, {
    hint: `It supports ${methods.join(', ')}.`,
    headers: { allow: methods.join(', ') },
  });
}
