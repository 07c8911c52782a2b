import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { itemClients } from '../../shared/api/connect';
import { InputError } from '../../shared/input-error';
import { simplify } from '../fields/options';
import { DEFAULT_SIDE_BY_SIDE, MOST_SIDE_BY_SIDE } from '../fields/concurrency';
import { isSimplified } from '../fields/output';
import { refuseMissingValues } from './missing-values';
import { errorItem, nodeError } from './failed-items';
import { Item, type Run } from './item';
import { seedOf } from './idempotency';
import type { Operation } from './operation';
import { findOperation, isHiddenFromTools } from '../resources/registry';

/** The one item loop: every input item goes through the chosen operation, side by side, and comes out in order. */
export async function runItems(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const mayGoOn = this.continueOnFail();
  // Asked once: n8n copies the whole node each time.
  const node = this.getNode();
  let started: ReturnType<typeof start>;
  try {
    started = start(this);
  } catch (thrown) {
    if (!mayGoOn) throw nodeError(node, thrown, 0);
    // Thrown out of the node, it would send the input items to the output of the good ones.
    return [this.getInputData().map((input, index) => errorItem(node, thrown, index, input))];
  }
  const { operation, run, width } = started;
  const results: INodeExecutionData[][] = [];
  const failures = new Map<number, unknown>();
  const turns = new Turns();
  const goesOn = () => failures.size === 0;

  const one = async (index: number) => {
    const item = new Item(run, index);
    const failed = (thrown: unknown) => {
      if (mayGoOn) results[index] = [errorItem(node, thrown, index, item.input)];
      else failures.set(index, thrown);
    };
    const work = async () => {
      // Asked once more, since the item may have waited for its turn behind one that did not succeed.
      if (goesOn()) results[index] = await runItem(operation, item);
    };
    try {
      refuseMissingValues(item, operation);
      await turns.next(operation.record?.(item), async () => await work().catch(failed));
    } catch (thrown) {
      failed(thrown);
    }
  };
  await inOrder(this.getInputData().length, width, goesOn, one);

  const first = Math.min(...failures.keys());
  if (failures.size > 0) throw nodeError(node, failures.get(first), first);
  return [results.flat()];
}

/** What is the same for all items: the operation, the agency, and how many items are worked on at a time. */
function start(node: IExecuteFunctions): { operation: Operation; run: Run; width: number } {
  const operation = chosenOperation(node);
  const width = sideBySide(node);
  const run = {
    node,
    clientOf: itemClients(node),
    seed: seedOf(node),
    // n8n copies the whole node for whoever asks.
    parameters: node.getNode().parameters,
    shared: new Map(),
    values: new Map(),
  };
  return { operation, run, width };
}

async function runItem(operation: Operation, item: Item): Promise<INodeExecutionData[]> {
  // Now, since a write would be done before its output is made.
  if (operation.fields.includes(simplify)) isSimplified(item);
  await item.connect();
  const made = await operation.execute(item);
  const pairedItem = { item: item.index };
  return made.map((output) => ({ ...output, pairedItem }));
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
  private readonly last = new Map<string, Promise<void>>();

  /** @param work does not throw; what belongs to no record does not wait */
  async next(record: string | undefined, work: () => Promise<void>): Promise<void> {
    if (record === undefined) return await work();
    const mine = (this.last.get(record) ?? Promise.resolve()).then(work);
    this.last.set(record, mine);
    await mine;
  }
}

function sideBySide(node: IExecuteFunctions): number {
  const width = Number(node.getNodeParameter('options.sideBySide', 0, DEFAULT_SIDE_BY_SIDE));
  if (Number.isInteger(width) && width >= 1 && width <= MOST_SIDE_BY_SIDE) return width;
  throw new InputError(
    'Items Side by Side',
    `must be a whole number from 1 to ${MOST_SIDE_BY_SIDE}.`,
    `${DEFAULT_SIDE_BY_SIDE} is a good choice for most workflows.`,
  );
}

function chosenOperation(node: IExecuteFunctions): Operation {
  const resource = String(node.getNodeParameter('resource', 0));
  // Without a resource that this version has, n8n knows of no field "Operation".
  const operation = String(node.getNodeParameter('operation', 0, ''));
  if (isHiddenFromTools(resource) && isTool(node)) throw hiddenFromTools(node);
  const found = findOperation(resource, operation);
  if (found !== undefined) return found;
  const custom = [resource, operation].includes('__CUSTOM_API_CALL__');
  throw new NodeOperationError(
    node.getNode(),
    custom
      ? 'This node makes no custom API calls.'
      : `This version of the node has no ${operation === '' ? 'resource' : `operation "${operation}" of`} "${resource}".`,
    {
      description: custom
        ? 'Use the HTTP Request node and choose the credential "Accounting Agency API" there as a predefined credential type.'
        : 'Choose a resource and an operation from the lists.',
    },
  );
}

/** n8n names the variant of a node that AI agents use by this ending, and its own display condition looks at it. */
function isTool(node: IExecuteFunctions): boolean {
  return node.getNode().type.endsWith('Tool');
}

function hiddenFromTools(node: IExecuteFunctions): NodeOperationError {
  return new NodeOperationError(node.getNode(), 'Webhook endpoints are not for AI agents.', {
    description:
      'Their signing secret must not reach a model. Use this resource in a workflow, with the Accounting Agency node itself.',
  });
}
