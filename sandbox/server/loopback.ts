import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** What is looked at of a request. */
interface Caller {
  headers: Pick<FastifyRequest['headers'], 'host' | 'origin'>;
  socket: Pick<Socket, 'remoteAddress' | 'localAddress'>;
}

/** Whether an address is of the loopback interface. */
export const isLoopback = (address: string): boolean => address === '::1' || /^127(\.\d+){3}$/.test(address);

/** Whether a connection comes from this machine: over loopback, or from the address that it goes to. */
function isLocal({ remoteAddress = '', localAddress }: Caller['socket']): boolean {
  return isLoopback(remoteAddress.replace(/^::ffff:/, '')) || remoteAddress === localAddress;
}

/** Whether a host name cannot be another site's: a loopback one, or the very address that was called. */
const isOwnName = ({ hostname }: URL, { localAddress = '' }: Caller['socket']): boolean =>
  LOOPBACK.has(hostname) || hostname.replace(/^\[|\]$/g, '') === localAddress.replace(/^::ffff:/, '');

function hostOf(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/**
 * The admin page and the control routes have no login. So only this machine may use them, and no page of
 * another site that a browser on it shows.
 * @throws ApiError `FORBIDDEN`
 */
export async function checkLoopback({ headers, socket }: Caller): Promise<void> {
  const here = hostOf(`http://${headers.host ?? ''}`);
  const from = headers.origin === undefined ? here : hostOf(headers.origin);
  if (isLocal(socket) && here && isOwnName(here, socket) && from?.host === here.host) return;
  throw new ApiError('FORBIDDEN', 'This is open only to the machine that the sandbox runs on.');
}
