import { type ITriggerFunctions, type ITriggerResponse, NodeOperationError } from 'n8n-workflow';
import { eventFilter } from '../../shared/events/filter';
import { NEEDED_N8N } from '../../shared/n8n-version';
import { nodeKey } from '../../shared/node-identity';
import { fullMessage } from '../../shared/own-errors';
import { isStartOfN8n } from '../endpoint/registration';
import { recoverySettings } from '../parameters';
import { memoryOf } from '../state/memory';
import { readRegistration } from '../state/static-data';
import { Recovery } from './recovery';

/** The one that compares for each node. */
const recoveries = new Map<string, Recovery>();

/**
 * Compares the event feed with what the endpoint delivered: now, and as often as the node is set to. What did not
 * arrive runs, oldest first, a few executions at a time. Whatever goes wrong then is logged once and tried again. n8n
 * calls this in its leading process only, so in a cluster one process compares; when the lead changes, the next one
 * reads on from the position that was saved last, and repeats end in `execute`.
 *
 * @throws NodeOperationError in an n8n that is too old
 */
export function startRecovery(context: ITriggerFunctions): ITriggerResponse {
  const key = nodeKey(context);
  // After a publication that its hooks refused, n8n 2 begins the next one without an end of this.
  recoveries.get(key)?.close();
  recoveries.delete(key);
  const settings = recoverySettings(context);
  if (settings.everyMinutes === 0) return {};
  // Read here, since n8n 2 evaluates expressions only until `trigger()` has returned.
  const filter = eventFilter(context);
  // What n8n has saved is newer than what this process may know from an earlier time.
  const { endpoint, generation } = readRegistration(context);
  const made = endpoint && { endpoint, generation };
  const memory = memoryOf(context);
  Object.assign(memory, { made, progress: undefined, isUnsaved: false, isRemoved: false });
  // What was refused here before is another process's matter, or over.
  if (isStartOfN8n(context)) memory.isRefused = false;
  const recovery = new Recovery(context, settings, filter);
  // By the key, since n8n may go on with the cron of one before.
  everyMinute(context, () => void recoveries.get(key)?.tick());
  recoveries.set(key, recovery);
  void recovery.tick();
  return {
    closeFunction: async () => {
      recovery.close();
      if (recoveries.get(key) === recovery) recoveries.delete(key);
    },
  };
}

function everyMinute(context: ITriggerFunctions, onTick: () => void): void {
  // The second is chance, so that not all nodes ask at once.
  const second = Math.floor(Math.random() * 60);
  try {
    context.helpers.registerCron({ expression: `${second} * * * * *` }, onTick);
  } catch (error) {
    // An n8n before 1.105 takes a text here, and says that an object has no "toLowerCase".
    const said = error instanceof TypeError ? `${NEEDED_N8N} Update n8n.` : fullMessage(error);
    throw new NodeOperationError(context.getNode(), said);
  }
}
