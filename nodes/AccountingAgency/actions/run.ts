import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { agencyClient } from '../../shared/api/connect';
import { InputError } from '../../shared/input-error';
import { DEFAULT_SIDE_BY_SIDE, MOST_SIDE_BY_SIDE } from '../fields/sideBySide';
import { errorItem, nodeError } from './failures';
import { Item, type Run } from './item';
import { seedOf } from './keys';
import type { Operation } from './operation';
import { findOperation } from './registry';

/** The one item loop: every input item goes through the chosen operation, side by side, and comes out in order. */
export async function runItems(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const operation = chosenOperation(this);
  const count = this.getInputData().length;
  const run = await startRun(this);
  const results: INodeExecutionData[][] = [];
  const failures = new Map<number, unknown>();
  const turns = new Turns();
  const mayGoOn = this.continueOnFail();

  const one = async (index: number) => {
    try {
      results[index] = await runItem(operation, new Item(run, index), turns);
    } catch (thrown) {
      if (mayGoOn) results[index] = [errorItem(thrown, index)];
      else failures.set(index, thrown);
    }
  };
  await inOrder(count, sideBySide(this), () => failures.size === 0, one);

  const first = Math.min(...failures.keys());
  if (failures.size > 0) throw nodeError(this.getNode(), failures.get(first), first);
  return [results.flat()];
}

async function startRun(node: IExecuteFunctions): Promise<Run> {
  try {
    return { node, client: await agencyClient(node), seed: seedOf(node), shared: new Map() };
  } catch (thrown) {
    throw nodeError(node.getNode(), thrown, 0);
  }
}

async function runItem(operation: Operation, item: Item, turns: Turns): Promise<INodeExecutionData[]> {
  const work = async () => await operation.execute(item);
  const made = await (operation.record ? turns.next(operation.record(item), work) : work());
  return made.map((output) => ({ ...output, pairedItem: { item: item.index } }));
}

/** Starts `work` for the numbers from 0 on, at most `width` at a time, as long as `goOn` says so. */
async function inOrder(
  count: number,
  width: number,
  goOn: () => boolean,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count && goOn()) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}

/** Lets the writes to one record run one after the other, in the order in which they were asked for. */
class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async next<T>(record: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(record) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(record, mine);
    return await mine;
  }
}

function sideBySide(node: IExecuteFunctions): number {
  const width = Number(node.getNodeParameter('options.sideBySide', 0, DEFAULT_SIDE_BY_SIDE));
  if (Number.isInteger(width) && width >= 1 && width <= MOST_SIDE_BY_SIDE) return width;
  const wrong = new InputError(
    'Items Side by Side',
    `must be a whole number from 1 to ${MOST_SIDE_BY_SIDE}.`,
    `${DEFAULT_SIDE_BY_SIDE} is a good choice for most workflows.`,
  );
  throw nodeError(node.getNode(), wrong, 0);
}

function chosenOperation(node: IExecuteFunctions): Operation {
  const resource = String(node.getNodeParameter('resource', 0));
  const operation = String(node.getNodeParameter('operation', 0));
  const found = findOperation(resource, operation);
  if (found !== undefined) return found;
  const custom = [resource, operation].includes('__CUSTOM_API_CALL__');
  throw new NodeOperationError(
    node.getNode(),
    custom
      ? 'This node makes no custom API calls.'
      : `This version of the node has no operation "${operation}" of "${resource}".`,
    {
      description: custom
        ? 'Use the HTTP Request node and choose the credential "Accounting Agency API" there as a predefined credential type.'
        : 'Choose a resource and an operation from the lists.',
    },
  );
}
