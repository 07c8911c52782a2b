import type { INodeTypeDescription } from 'n8n-workflow';

/** Name of the second output. */
export const APPROVAL_NEEDED = 'Approval Needed';

/**
 * The outputs of the node: two where a change may need an approval and its field, filled in by hand, says so. n8n adds
 * the error output as the last.
 */
export const OUTPUTS: INodeTypeDescription['outputs'] = `={{ $rawParameter.resource === 'companySettings' && $rawParameter.operation === 'update' && $rawParameter.whenApprovalNeeded === 'branch' ? [{ type: 'main', displayName: 'Done' }, { type: 'main', displayName: '${APPROVAL_NEEDED}' }] : ['main'] }}`;
