import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Agency } from '../agency/agency';
import { noteUnread } from './json-body';
import { ApiError, invalid } from './errors';
import { holdBack } from '../control/faults';
import type { Reply } from './operation';

/** How long a connection stays open after a file was refused half-way, so that its sender can read why. */
const LINGER_MS = 1000;

/** Sends what an operation answers, or breaks the connection when a planned fault says so. */
export async function sendReply(
  agency: Agency,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
): Promise<FastifyReply> {
  if (request.visit.fault?.fault === 'reset-after') return breakConnection(reply);
  reply.code(answer.status).headers(answer.headers ?? {});
  const { content, body } = answer;
  if (!content) return reply.send(body);
  reply.type('application/octet-stream');
  if ('text' in content) return reply.send(Buffer.from(content.text));
  const { size, stream } = await agency.blobs.open(content.blob);
  return reply.header('content-length', size).send(stream);
}

/** Ends the connection without an answer. */
export function breakConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** What Fastify throws. */
interface FrameworkError {
  code?: string;
  message?: string;
  statusCode?: number;
  validation?: { instancePath: string; message?: string }[];
}

function errorOf(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  const { code, message, statusCode, validation } = reason as FrameworkError;
  if (validation) {
    return invalid(
      validation.map(({ instancePath, message = 'is not valid' }) => ({
        path: instancePath.slice(1).replaceAll('/', '.'),
        message,
      })),
    );
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The header Content-Type has no media type.');
  }
  if (statusCode !== undefined && statusCode < 500) {
    return invalid([{ path: '', message: `The request cannot be read: ${message}` }]);
  }
  console.error(reason);
  return new ApiError('INTERNAL_ERROR', 'Something went wrong inside the sandbox; see its log.');
}

/** Answers in the API's error shape. */
export async function sendError(
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = errorOf(reason);
  if (request.visit) await holdBack(request);
  if (request.raw.destroyed && !request.raw.complete) return breakConnection(reply);
  if (request.visit?.fault?.fault === 'reset-after') return breakConnection(reply);
  if (error.code === 'PAYLOAD_TOO_LARGE') return refuseUpload(error, request, reply);
  if (request.visit && !request.raw.readableDidRead) void noteUnread(request);
  return reply.code(error.status).headers(error.headers).type('application/json').send(error.body());
}

/** The rest of the body is not read: the answer goes out whole, and the connection ends a moment later. */
function refuseUpload(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  if (request.visit) request.visit.logged.status = error.status;
  const body = JSON.stringify(error.body());
  reply.raw.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': request.id,
    connection: 'close',
  });
  reply.raw.write(body);
  setTimeout(() => reply.raw.end(), LINGER_MS).unref();
  return reply;
}
