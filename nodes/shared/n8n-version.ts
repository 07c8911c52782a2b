import { NodeConnectionTypes } from 'n8n-workflow';

// An older n8n has no such export, and would only say that it cannot read "Main" of undefined.
if (typeof NodeConnectionTypes !== 'object') {
  throw new Error(
    'n8n-nodes-accounting-agency needs n8n 1.85 or newer. Update n8n, then install the package again.',
  );
}
