import { posix } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { API_ROOT } from './contract';
import { ApiError, STATUS } from './errors';
import type { ErrorCode } from './records';

/** A coming fault, as `POST /_sandbox/faults` takes it. */
export interface FaultPlan {
  method?: string;
  /** A glob over the path, with or without `/api/v1`. */
  path?: string;
  /** How many requests it hits. */
  times: number;
  fault: 'reset-before' | 'reset-after' | 'status' | 'delay';
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

  /** Replaces what was planned. */
  plan(plans: FaultPlan[]): void {
    this.plans = plans.map((plan) => ({ ...plan }));
  }

  /** The fault of this request, if one hits it. */
  take(method: string, path: string): FaultPlan | undefined {
    const hit = this.plans.find(
      (plan) => plan.times > 0 && fits(plan, method, path) && Math.random() < (plan.probability ?? 1),
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
  const headers: Record<string, string> = {};
  if (plan.retryAfter !== undefined) headers['retry-after'] = String(plan.retryAfter);
  return new ApiError(plan.code ?? codeOf(status), 'A planned fault of the sandbox.', { status, headers });
}
