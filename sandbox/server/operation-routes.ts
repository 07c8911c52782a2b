import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import { authenticate, type Principal } from '../access/authentication';
import type { Agency } from '../agency/agency';
import { checkSuitable, NO_TYPE } from '../agency/file-types';
import { holdBack } from '../control/faults';
import { fingerprint } from '../ids';
import { MAX_FILE_BYTES, type Blob } from '../store/blobs';
import type { Contract, ContractOperation, RawRequest } from './contract';
import { invalid, missingScope, tooLarge } from './errors';
import { type Claim, type Idempotency, once } from './idempotency';
import { readJson } from './json-body';
import { header, type Operation, type Reply } from './operation';
import { OPERATIONS } from './operations';
import { hasReadablePath, pathOf } from './paths';
import type { RateLimit } from './rate-limit';
import { sendReply } from './reply';

/** What the routes of the API need. */
export interface ApiParts {
  agency: Agency;
  contract: Contract;
  idempotency: Idempotency;
  rateLimit: RateLimit;
  /** How long the work of every operation is held back. */
  latencyMs: number;
}

/** Registers a route for every operation of the contract. */
export function registerApi(app: FastifyInstance, parts: ApiParts): void {
  // Bodies are read here, whatever they say to be: JSON as text, files not at all.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest) =>
    request.routeOptions.config.takesBytes ? undefined : readJson(request),
  );
  for (const contracted of parts.contract.operations()) {
    const operation = OPERATIONS[contracted.operationId];
    if (!operation) throw new Error(`Nothing does the operation ${contracted.operationId}`);
    app.route({
      method: contracted.method.toUpperCase(),
      url: contracted.url,
      config: { takesBytes: contracted.takesBytes },
      onRequest: async (request, reply) => {
        // The router takes an empty ID for one.
        if (Object.values(request.params ?? {}).includes('')) return reply.callNotFound();
        await admit(parts, contracted, request);
        if (contracted.takesBytes) takeType(request);
        return undefined;
      },
      handler: async (request: FastifyRequest, reply) =>
        sendReply(parts.agency, request, reply, await answer(parts, contracted, operation, request)),
    });
  }
}

/** Who asks, whether they ask too often, and whether they may. */
async function admit(parts: ApiParts, { scope }: ContractOperation, request: FastifyRequest): Promise<void> {
  const principal = await authenticate(parts.agency, request.headers.authorization);
  parts.rateLimit.count(principal.credentialId);
  if (!principal.scopes.includes(scope)) throw missingScope(scope);
  request.visit.principal = principal;
}

/** A file may be of any type, also of one that is none for HTTP, which the framework would refuse. */
function takeType({ visit, headers }: FastifyRequest): void {
  visit.mimeType = utf8Of(headers['content-type']);
  delete headers['content-type'];
}

/** A header's value, which Node.js reads byte by byte, as UTF-8 if it is. */
function utf8Of(value: string | undefined): string | undefined {
  const bytes = Buffer.from(value ?? '', 'latin1');
  return isUtf8(bytes) && value !== undefined ? bytes.toString() : value;
}

async function answer(
  parts: ApiParts,
  contracted: ContractOperation,
  operation: Operation,
  request: FastifyRequest,
): Promise<Reply> {
  const { principal } = request.visit;
  if (!principal) throw new Error('The request was not admitted');
  const { mimeType } = request.visit;
  const headers = mimeType === undefined ? request.headers : { ...request.headers, 'content-type': mimeType };
  const text = typeof request.body === 'string' ? request.body : undefined;
  const valid = validated(parts.contract, contracted, request, text);
  if (contracted.takesBytes) checkUpload(headers, String(valid.query.filename));
  const body: unknown = text === undefined ? undefined : JSON.parse(text);
  const said = contracted.takesBytes ? headers['content-type'] : body;
  const asked = fingerprint([contracted.operationId, valid, said]);
  const claim = claimOf(contracted, principal, request, asked);
  if (claim) parts.idempotency.begin(claim);
  let upload: Blob | undefined;
  let kept = false;
  try {
    await wait(parts.latencyMs);
    await holdBack(request);
    upload = contracted.takesBytes ? await takeUpload(parts.agency, request) : undefined;
    const call = { operationId: contracted.operationId, principal, headers, body, upload, ...valid };
    const requestHash = upload ? fingerprint([asked, upload.sha256]) : asked;
    const reply = await once(parts.agency, parts.idempotency, { operation, call, claim, requestHash });
    kept = reply.headers?.['idempotent-replayed'] === undefined;
    return reply;
  } finally {
    if (upload && !kept) await parts.agency.blobs.remove(upload.name);
    if (claim) parts.idempotency.release(claim);
  }
}

function validated(
  contract: Contract,
  { operationId, parameters }: ContractOperation,
  request: FastifyRequest,
  body: string | undefined,
) {
  if (!hasReadablePath(request)) {
    throw invalid(parameters.map((path) => ({ path, message: 'cannot be decoded' })));
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return contract.validate(operationId, {
    method: request.method,
    path: pathOf(request),
    query: request.query as RawRequest['query'],
    headers,
    body,
  });
}

function claimOf(
  { method, takesBytes }: ContractOperation,
  { credentialId }: Principal,
  request: FastifyRequest,
  asked: string,
): Claim | undefined {
  const key = header(request, 'idempotency-key');
  if (method === 'get' || key === undefined) return undefined;
  const announced = takesBytes ? header(request, 'content-length') : undefined;
  const length = announced === undefined ? undefined : Number(announced);
  return { owner: credentialId, key, asked, length };
}

/** @throws ApiError `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` before a byte is read. */
function checkUpload(headers: FastifyRequest['headers'], filename: string): void {
  checkSuitable(filename, headers['content-type'] ?? NO_TYPE);
  if (Number(headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw tooLarge('A file over 48 MB');
}

async function takeUpload(agency: Agency, request: FastifyRequest): Promise<Blob> {
  const upload = await agency.blobs.write(request.raw);
  request.visit.logged.bodyLength = upload.sizeBytes;
  request.visit.logged.bodySha256 = upload.sha256;
  return upload;
}
