import { once } from 'node:events';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../server/contract';
import { ApiError, STATUS } from '../server/errors';
import type { ErrorCode } from '../records';
import { newRandom } from '../seed/random';

/** What can go wrong with a request. */
export const FAULTS = [
  'reset-before',
  'reset-after',
  'status',
  'delay',
  'empty',
  'truncate',
  'stall',
  'html',
] as const;

/** A coming fault, as `POST /_sandbox/faults` takes it. */
export interface FaultPlan {
  method?: string;
  /** A glob over the path, with or without `/api/v1`. */
  path?: string;
  /** How many requests it hits. */
  times: number;
  fault: (typeof FAULTS)[number];
  /** Of a `status` fault, and of a spoiled answer instead of its own. */
  status?: number;
  code?: ErrorCode;
  /** Seconds, or an HTTP date. */
  retryAfter?: number | string;
  delayMs?: number;
  /** Of hitting a request that fits, 0 to 1. */
  probability?: number;
}

function fits(plan: FaultPlan, method: string, path: string): boolean {
  if (plan.method && plan.method.toUpperCase() !== method) return false;
  if (plan.path === undefined) return true;
  const paths = [path, path.startsWith(API_ROOT) ? path.slice(API_ROOT.length) : path];
  return paths.some((candidate) => posix.matchesGlob(candidate, plan.path ?? ''));
}

/** The faults that are still to come. */
export class Faults {
  private plans: FaultPlan[] = [];
  private random = newRandom(1);

  /** Replaces what was planned. The same requests in the same order are hit by the same faults. */
  plan(plans: FaultPlan[]): void {
    this.plans = plans.map((plan) => ({ ...plan }));
    this.random = newRandom(1);
  }

  /** The fault of this request, if one hits it. */
  take(method: string, path: string): FaultPlan | undefined {
    const hit = this.plans.find(
      (plan) =>
        plan.times > 0 &&
        fits(plan, method, path) &&
        this.random.int(0, 999_999) < (plan.probability ?? 1) * 1_000_000,
    );
    if (hit) hit.times -= 1;
    return hit;
  }
}

/** Waits as long as the request's fault says, the first time: before its work, or before its refusal. */
export async function holdBack({ visit }: FastifyRequest): Promise<void> {
  if (visit.heldBack || visit.fault?.delayMs === undefined) return;
  visit.heldBack = true;
  await wait(visit.fault.delayMs);
}

const codeOf = (status: number): ErrorCode => {
  const codes = Object.entries(STATUS) as [ErrorCode, number][];
  return codes.find(([, known]) => known === status)?.[0] ?? 'INTERNAL_ERROR';
};

/** The answer of a `status` fault: 500 when it names neither status nor code. */
export function faultError(plan: FaultPlan): ApiError {
  const status = plan.status ?? (plan.code ? STATUS[plan.code] : 500);
  const message = 'A planned fault of the sandbox.';
  return new ApiError(plan.code ?? codeOf(status), message, { status, headers: advice(plan) });
}

/** The header by which an answer says when to come again. */
const advice = ({ retryAfter }: FaultPlan): Record<string, string> =>
  retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };

const GATEWAY_PAGE =
  '<!doctype html><html lang="en"><title>Bad gateway</title><h1>The gateway has a problem</h1></html>';

/** An answer's body before it is sent. */
export type Payload = string | Buffer | Readable | null | undefined;

const bytesOf = async (payload: Payload): Promise<Buffer> =>
  payload instanceof Readable ? await buffer(payload) : Buffer.from(payload ?? '');

const SPOILING = new Set<FaultPlan['fault']>(['empty', 'truncate', 'stall', 'html']);

/**
 * Spoils an answer whose work is done, when the request's fault says so.
 * @returns What is sent instead.
 */
export async function spoil({ visit, raw }: FastifyRequest, reply: FastifyReply, payload: Payload) {
  const plan = visit?.fault;
  if (plan === undefined || !SPOILING.has(plan.fault)) return payload;
  const { fault, status } = plan;
  // An answer without a body gets one that can be spoiled.
  const isBodiless = reply.statusCode === 204 && fault !== 'empty';
  reply.code(status ?? (isBodiless ? 200 : reply.statusCode)).headers(advice(plan));
  const bytes = isBodiless ? Buffer.from('{"deleted":true}') : await bytesOf(payload);
  if (fault === 'empty') {
    reply.header('content-length', 0);
    return '';
  }
  if (fault === 'html') {
    reply.type('text/html; charset=utf-8').header('content-length', Buffer.byteLength(GATEWAY_PAGE));
    return GATEWAY_PAGE;
  }
  reply.header('content-length', bytes.length);
  // After an answer with this header Node.js ends the connection, however much of the body is missing.
  if (fault === 'truncate') reply.header('connection', 'close');
  return Readable.from(firstHalf(bytes, fault === 'stall' ? once(raw.socket, 'close') : undefined));
}

async function* firstHalf(bytes: Buffer, end: Promise<unknown> | undefined): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  await end;
}
