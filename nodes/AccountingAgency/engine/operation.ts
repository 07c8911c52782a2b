import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Item } from './item';

/** Why something is not for AI agents, and the way out. */
export interface ToolRefusal {
  message: string;
  description: string;
}

/** What an operation makes of one input item; the item loop adds the pairing. */
export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

/** One operation of the API as the node offers it: its words, its fields, and what it does with one item. */
export interface Operation {
  /** Value of the `operation` parameter. */
  value: string;
  /** Label in the dropdown, in title case. */
  name: string;
  /** Sentence of the nodes panel and of the tool for AI agents, e.g. "Upload document". */
  action: string;
  description: string;
  /** What n8n's AI workflow builder is told besides, e.g. which operation or node fits better. */
  builderHint: string;
  /** The contract's operations that it makes use of, e.g. `documents.create`. */
  calls: string[];
  /** Shown for this operation only; the registry adds the condition. */
  fields: INodeProperties[];
  /** Entries of the operation's "Options". */
  options?: INodeProperties[];
  /** Not offered to AI agents, for this reason. */
  hiddenFromTools?: ToolRefusal;
  /** Name of the record that an item writes to, so that writes to one record keep the order of their items. */
  record?: (item: Item) => string;
  /**
   * @throws InputError for values that cannot be used
   * @throws AgencyError for what the agency refuses
   */
  execute: (item: Item) => Promise<OutputItem[]>;
}

/** A group of operations: one entry of the `resource` dropdown. */
export interface Resource {
  value: string;
  name: string;
  description: string;
  /** By name, as the dropdown shows them. */
  operations: Operation[];
  /** Value of the operation that is chosen at first. */
  defaultOperation: string;
  /** Value of the operation that is chosen at first for AI agents, when they are not offered all of them. */
  defaultForTools?: string;
  /** Not offered to AI agents, for this reason. */
  hiddenFromTools?: ToolRefusal;
}
