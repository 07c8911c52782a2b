import type { HostVersion } from '../../tools/n8n/install';

/** An n8n as it is set up: a version, and what is not as n8n has it by itself. */
export interface Variant {
  version: HostVersion;
  /** `classic` is 2.x with its publication service off; `queue` has workers and a webhook process. */
  mode: 'default' | 'classic' | 'queue';
}

export const N8N_2: Variant = { version: '2.41.1', mode: 'default' };
export const N8N_2_CLASSIC: Variant = { version: '2.41.1', mode: 'classic' };
export const N8N_2_QUEUE: Variant = { version: '2.41.1', mode: 'queue' };
export const N8N_1: Variant = { version: '1.123.81', mode: 'default' };
/** Of the least version that the README names, with what can still be installed of it. */
export const N8N_LEAST: Variant = { version: '1.105.4', mode: 'default' };
export const N8N_1_QUEUE: Variant = { version: '1.123.81', mode: 'queue' };

/** Every n8n that the package is tried in, in the order of the table's columns. */
export const VARIANTS: Variant[] = [N8N_2, N8N_2_CLASSIC, N8N_2_QUEUE, N8N_1, N8N_1_QUEUE, N8N_LEAST];
