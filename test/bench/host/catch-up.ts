import { askAgency, control } from '../../../tools/n8n/agency';
import type { Stage } from '../../../tools/n8n/stage';
import { until } from '../../support/time/until';
import type { HostDatabase } from './database';
import { type Target, TRIGGER } from './target';

const PATIENCE_MS = 300_000;
/** All deliveries are looked at in one page. */
export const MOST_MISSED = 200;

/**
 * Lets events happen while n8n is off, and starts it again.
 *
 * @param count at most `MOST_MISSED`
 * @returns events a second, from the start of the first execution to the end of the last
 */
export async function catchUp(
  stage: Stage,
  database: HostDatabase,
  { id }: Target,
  count: number,
  environment: Record<string, string>,
): Promise<number> {
  const { agency } = stage;
  const succeeded = () => database.executions(id).get('success') ?? 0;
  const before = succeeded();
  const endpoint = database.endpoint(id, TRIGGER);
  await stage.n8n().stop();
  await control(agency, '/events', { count });
  // What has not been tried may still arrive by itself, and is waited for.
  const path = `/webhook-endpoints/${endpoint.id}/deliveries?limit=${MOST_MISSED}`;
  const failed = async () => {
    const { data } = await askAgency<{ data: Array<{ status: string; attempts: number }> }>(agency, path);
    return data.filter(({ status, attempts }) => status !== 'succeeded' && attempts > 0).length;
  };
  await until('the agency to try all deliveries', async () => (await failed()) >= count, PATIENCE_MS);
  await stage.restart('stop', environment);
  await until(`${count} missed events to run`, () => succeeded() >= before + count, PATIENCE_MS);
  return count / database.secondsOf(id, count);
}
