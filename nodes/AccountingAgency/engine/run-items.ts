import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { wholeNumber } from '../../shared/values/text';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../fields/options';
import { checkOutput } from '../fields/output';
import { refuseMissingValues } from './missing-values';
import { errorItem, nodeError, takesDetails } from './failed-items';
import { Item } from './item';
import { Run, RunStopped } from './run';
import type { Operation } from './operation';
import { findOperation, toolRefusal } from '../resources/registry';

/** The one item loop: every input item goes through the chosen operation, some at the same time, and comes out in order. */
export async function runItems(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const mayGoOn = this.continueOnFail();
  // Asked once: n8n copies the whole node each time.
  const node = this.getNode();
  const failed = (thrown: unknown, index: number, input: INodeExecutionData) =>
    errorItem(node, thrown, index, input, takesDetails(this));
  let started: ReturnType<typeof start>;
  try {
    started = start(this);
  } catch (thrown) {
    if (!mayGoOn) throw nodeError(node, thrown, 0);
    // Thrown out of the node, it would send the input items to the output of the good ones.
    return [this.getInputData().map((input, index) => failed(thrown, index, input))];
  }
  const { operation, run } = started;
  const turns = new Turns();
  const results: INodeExecutionData[][] = [];
  const failures = new Map<number, unknown>();

  const work = async (item: Item) => {
    try {
      refuseMissingValues(item, operation);
      results[item.index] = await turns.take(operation.record?.(item), item, async () => {
        return await runItem(operation, item);
      });
    } catch (thrown) {
      if (mayGoOn) results[item.index] = [failed(thrown, item.index, item.input)];
      else if (!(thrown instanceof RunStopped)) failures.set(item.index, thrown);
      if (!mayGoOn) run.stop();
    } finally {
      run.limit.giveBack();
    }
  };
  const working: Array<Promise<void>> = [];
  for (const index of this.getInputData().keys()) {
    await run.limit.take();
    if (run.isStopped) break;
    working.push(work(new Item(run, index)));
  }
  await Promise.all(working);

  const first = Math.min(...failures.keys());
  if (failures.size > 0) throw nodeError(node, failures.get(first), first);
  run.hints.show(this);
  const done = results.flat();
  return run.handedOn === undefined ? [done] : [done, run.handedOn.flat()];
}

/** What is the same for all items. */
function start(node: IExecuteFunctions): { operation: Operation; run: Run } {
  const operation = chosenOperation(node);
  return { operation, run: new Run(node, concurrency(node)) };
}

async function runItem(operation: Operation, item: Item): Promise<INodeExecutionData[]> {
  // Now, since a write would be done before its output is made.
  checkOutput(item, operation.fields);
  await item.connect();
  const made = await operation.execute(item);
  const pairedItem = { item: item.index };
  return made.map((output) => ({ ...output, pairedItem }));
}

/** Lets the writes to one record run one after the other, in the order of their items. */
class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** @param work what belongs to no record does not wait, and what waits gives its place to the next item */
  async take<T>(record: string | undefined, item: Item, work: () => Promise<T>): Promise<T> {
    if (record === undefined) return await work();
    const before = this.last.get(record);
    const mine = before === undefined ? work() : item.giveWay(async () => await before).then(work);
    this.last.set(
      record,
      mine.then(
        () => undefined,
        () => undefined,
      ),
    );
    return await mine;
  }
}

function concurrency(node: IExecuteFunctions): number {
  const width: unknown = node.getNodeParameter('options.concurrency', 0, DEFAULT_CONCURRENCY);
  return wholeNumber('Concurrency', width, 1, MAX_CONCURRENCY);
}

function chosenOperation(node: IExecuteFunctions): Operation {
  const resource = String(node.getNodeParameter('resource', 0));
  // Without a resource that this version has, n8n knows of no field "Operation".
  const operation = String(node.getNodeParameter('operation', 0, ''));
  const refusal = isTool(node) ? toolRefusal(resource, operation) : undefined;
  if (refusal !== undefined) {
    throw new NodeOperationError(node.getNode(), refusal.message, { description: refusal.description });
  }
  const found = findOperation(resource, operation);
  if (found !== undefined) return found;
  const custom = [resource, operation].includes('__CUSTOM_API_CALL__');
  throw new NodeOperationError(
    node.getNode(),
    custom
      ? 'This node does not make custom API calls.'
      : `This version of the node has no ${operation === '' ? 'resource' : `operation "${operation}" of`} "${resource}".`,
    {
      description: custom
        ? 'Use the HTTP Request node and select the credential "Accounting Agency API" there as a predefined credential type.'
        : 'Select a resource and an operation from the lists.',
    },
  );
}

/** n8n names the variant of a node that AI agents use by this ending, and its own display condition looks at it. */
function isTool(node: IExecuteFunctions): boolean {
  return node.getNode().type.endsWith('Tool');
}
