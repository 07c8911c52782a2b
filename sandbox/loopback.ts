import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

function hostOf(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/**
 * The admin page and the control routes have no login. So only this machine may use them, and no page of
 * another site that a browser on it shows.
 * @throws ApiError `FORBIDDEN`
 */
export async function checkLoopback({ headers }: FastifyRequest): Promise<void> {
  const here = hostOf(`http://${headers.host ?? ''}`);
  const from = headers.origin === undefined ? here : hostOf(headers.origin);
  if (here && LOOPBACK.has(here.hostname) && from?.host === here.host) return;
  throw new ApiError('FORBIDDEN', 'This is open only to the machine that the sandbox runs on.');
}
