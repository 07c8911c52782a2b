import type { AgencyClient } from './client';

/**
 * Makes sure of a webhook endpoint by its deliveries: the specification does not show what its test and its change are
 * answered with, and an answer that tells nothing may be a proxy's.
 *
 * @throws AgencyError also when the agency does not know the endpoint
 */
export async function confirmEndpoint(agency: Pick<AgencyClient, 'request'>, id: string): Promise<void> {
  await agency.request('GET /webhook-endpoints/{id}/deliveries', { path: { id }, query: { limit: 1 } });
}
