import type { IDataDeduplicator } from 'n8n-workflow';
import { loadEngine } from '../engine';
import { ProcessedEntries } from './entries';

/** n8n's store of processed values, by `<workflow>/<node>`. */
export const processedEntries = new Map<string, ProcessedEntries>();

let entriesInUse: Promise<void> | undefined;

/** Gives n8n's engine a store of processed values, one row for each workflow and node. */
export async function useEntries(): Promise<void> {
  entriesInUse ??= loadEngine().then(async ({ DataDeduplicationService }) => {
    const rowOf = ({ workflow, node }: Parameters<IDataDeduplicator['removeProcessed']>[2]) => {
      const key = `${workflow.id}/${node?.id}`;
      const row = processedEntries.get(key) ?? new ProcessedEntries(1);
      processedEntries.set(key, row);
      return row;
    };
    // n8n wants to be told once for each process; here each test file has a store of its own.
    Reflect.deleteProperty(DataDeduplicationService, 'instance');
    await DataDeduplicationService.init({
      checkProcessedAndRecord: async (items, scope, context, options) =>
        await rowOf(context).checkProcessedAndRecord(items.map(String), scope, options),
      removeProcessed: async (items, _, context) => await rowOf(context).removeProcessed(items.map(String)),
      clearAllProcessedItems: async (_, context) => {
        processedEntries.delete(`${context.workflow.id}/${context.node?.id}`);
      },
      getProcessedDataCount: async (_, context) => rowOf(context).entries.length,
    });
  });
  await entriesInUse;
}
