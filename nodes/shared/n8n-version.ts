import { NodeConnectionTypes } from 'n8n-workflow';

/** What an n8n is told that is too old. */
export const NEEDED_N8N = 'n8n-nodes-accounting-agency needs n8n 1.105 or newer.';

// An n8n before 1.85 has no such export, and would only say that it cannot read "Main" of undefined.
if (typeof NodeConnectionTypes !== 'object') {
  throw new Error(`${NEEDED_N8N} Update n8n, then install the package again.`);
}
