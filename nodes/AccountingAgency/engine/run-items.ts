import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeProperties,
  INodePropertyCollection,
  INodePropertyOptions,
} from 'n8n-workflow';
import { isResourceLocatorValue } from 'n8n-workflow';
import { optionsField } from '../../shared/fields/options-field';
import { missingValue } from '../../shared/input-error';
import { isRecord } from '../../shared/values/json';
import { isEmpty, wholeNumber } from '../../shared/values/text';
import { approvalIdOption, isHandedOn } from '../fields/approval';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../fields/options';
import { checkOutput } from '../fields/output';
import { errorItem, nodeError, takesDetails } from './failed-items';
import { isFromModel, Item } from './item';
import { Run, RunStopped } from './run';
import type { Operation } from './operation';
import { chosenOperation } from '../resources/registry';

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

/** A field, or what is nested in one. */
type Field = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const CHECK_THE_NAMES = 'Check the names of the fields in the expression, including upper and lower case.';

/**
 * Fields that protect the user, and the one that takes any file when it is empty: for them an expression must give a
 * value, and `null` or an empty text is none.
 */
const SAFETY_FIELDS = ['dryRun', 'idempotencyKey', 'approvalId', 'binaryPropertyName'];

/**
 * Refuses expressions that give nothing for an item, before anything is sent: taken as empty, a typo would clear a
 * field, or switch a protection off. `null` and an empty text are values. Filters check their own.
 *
 * @throws InputError that names the field
 */
function refuseMissingValues(item: Item, { fields, options = [] }: Operation): void {
  const checkField = (field: INodeProperties) => {
    checkValue(field, item.saved(field.name), item.value(field.name));
  };
  for (const field of fields) {
    if (field.name !== 'filters' && item.hasExpression(field.name)) checkField(field);
  }
  if (!item.hasExpression('options')) return;
  checkField(optionsField(options.filter((one) => one !== approvalIdOption || !isHandedOn(item))));
}

function checkValue(field: Field, saved: unknown, value: unknown, label = labelOf(field)): void {
  if (isResourceLocatorValue(saved)) {
    checkValue(field, saved.value, isResourceLocatorValue(value) ? value.value : value, label);
  } else if (typeof saved === 'string') {
    if (isMissing(field.name, saved, value)) throw missingValue(label, CHECK_THE_NAMES);
  } else if (Array.isArray(saved)) {
    const rows = Array.isArray(value) ? value : [];
    for (const [index, row] of saved.entries()) checkValue(field, row, rows[index], `${label} ${index + 1}`);
  } else if (isRecord(saved)) {
    const given = isRecord(value) ? value : {};
    for (const child of childrenOf(field)) {
      // The rows of a fixed collection are told apart by its group; the entries of a collection by their own name.
      const name = 'values' in field ? `${label}: ${labelOf(child)}` : labelOf(child);
      checkValue(child, saved[child.name], given[child.name], name);
    }
  }
}

function isMissing(name: string, saved: string, value: unknown): boolean {
  if (!saved.startsWith('=') || isEmpty(saved.slice(1))) return false;
  // What a language model leaves out stays as it is, but it switches no dry run off.
  if (isFromModel(saved)) return name === 'dryRun' && isEmpty(value);
  return SAFETY_FIELDS.includes(name) ? isEmpty(value) : value === undefined;
}

function childrenOf(field: Field): Field[] {
  if ('values' in field) return field.values;
  return 'options' in field ? (field.options ?? []) : [];
}

const labelOf = (field: Field): string => ('displayName' in field ? field.displayName : field.name);
