import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/input-error';
import { type Choices, isEmpty, oneOf, optionalId, wholeNumber } from '../../shared/values/text';
import type { Item } from '../engine/item';

const MODE = 'whenApprovalNeeded';
const APPROVAL_ID = 'Approval ID';

const DEFAULT_EVERY_SECONDS = 10;
/** An execution that waits for longer is better ended, and begun again with the decision. */
const LONGEST_WAIT_MINUTES = 15;
const DEFAULT_WAIT_MINUTES = LONGEST_WAIT_MINUTES;
const LONGEST_EVERY_SECONDS = LONGEST_WAIT_MINUTES * 60;

/** What a user may want of a change that needs an administrator's approval. */
export type ApprovalMode = 'stop' | 'output' | 'branch' | 'wait';

const MODES: Choices<ApprovalMode> = [
  {
    name: 'Stop and Show the Link',
    value: 'stop',
    description: 'Stop with an error that shows the link for the administrator',
  },
  {
    name: 'Output the Approval',
    value: 'output',
    description: 'Output the ID and link of the approval, e.g. to send the link to an administrator',
  },
  {
    name: 'Use Approval Needed Output',
    value: 'branch',
    // A tool has one output.
    displayOptions: { show: { '@tool': [false] } },
    description:
      "Send the item to a second output, with the approval's ID and link. Connect it back to this node through a Wait node.",
  },
  {
    name: 'Wait for the Decision',
    value: 'wait',
    description:
      'Keep the execution running until an administrator approves or rejects, for 15 minutes at most',
  },
];

/** The fields of a change that may need an approval (spec: Approval flow). */
export const approvalFields: INodeProperties[] = [
  {
    displayName: 'When Approval Is Needed',
    name: MODE,
    type: 'options',
    options: MODES,
    default: 'stop',
    description:
      'What to do when an administrator of the agency must approve the change. Nothing is changed before that.',
  },
  {
    displayName: 'Check Every (Seconds)',
    name: 'checkEverySeconds',
    type: 'number',
    displayOptions: { show: { [MODE]: ['wait'] } },
    typeOptions: { minValue: 1, maxValue: LONGEST_EVERY_SECONDS, numberPrecision: 0 },
    default: DEFAULT_EVERY_SECONDS,
    description: 'How often to check whether the change is approved, from 1 to 900 seconds',
  },
  {
    displayName: 'Stop Waiting After (Minutes)',
    name: 'stopWaitingAfterMinutes',
    type: 'number',
    displayOptions: { show: { [MODE]: ['wait'] } },
    typeOptions: { minValue: 1, maxValue: LONGEST_WAIT_MINUTES, numberPrecision: 0 },
    default: DEFAULT_WAIT_MINUTES,
    description: 'How long to wait, from 1 to 15 minutes. After that, the node stops and shows the link.',
  },
];

/** Option of a change that may need an approval. */
export const approvalIdOption: INodeProperties = {
  displayName: APPROVAL_ID,
  name: 'approvalId',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.approvalId }}',
  description: 'The ID of an earlier approval for exactly this change. Valid for one day and one use.',
};

/** What an item's fields say about approvals. */
export interface ApprovalSettings {
  mode: ApprovalMode;
  everyMs: number;
  longestMs: number;
  /** Given by the user. */
  approvalId?: string;
}

/**
 * Reads the approval fields of an item.
 *
 * @throws InputError for values that cannot be used
 */
export function approvalSettings(item: Item): ApprovalSettings {
  const mode = oneOf(MODES)('When Approval Is Needed', item.value(MODE) ?? 'stop');
  const number = (label: string, name: string, otherwise: number, most: number) =>
    mode === 'wait' ? wholeNumber(label, item.value(name) ?? otherwise, 1, most) : otherwise;
  const every = number(
    'Check Every (Seconds)',
    'checkEverySeconds',
    DEFAULT_EVERY_SECONDS,
    LONGEST_EVERY_SECONDS,
  );
  const longest = number(
    'Stop Waiting After (Minutes)',
    'stopWaitingAfterMinutes',
    DEFAULT_WAIT_MINUTES,
    LONGEST_WAIT_MINUTES,
  );
  const approvalId = givenApproval(item);
  if (isHandedOn(item) && approvalId === undefined && !isEmpty(item.input.json.approvalId)) {
    throw new InputError(
      APPROVAL_ID,
      'is empty, but the item comes back with an approval.',
      `Add the option ${APPROVAL_ID}, and set it to {{ $json.approvalId }}.`,
    );
  }
  return { mode, everyMs: every * 1000, longestMs: longest * 60_000, approvalId };
}

/** Whether an item that needs an approval is handed on, to come back with its ID, which it does not have at first. */
export const isHandedOn = (item: Item): boolean => item.value(MODE) === 'branch';

/** An Approval ID leaves in a header, which carries printable ASCII only. */
function givenApproval(item: Item): string | undefined {
  const id = optionalId(APPROVAL_ID, item.option('approvalId'));
  if (id?.includes('://') === true) {
    throw new InputError(APPROVAL_ID, 'is a link.', 'Enter only the ID that came with the link.');
  }
  const [odd] = id?.match(/[^\x20-\x7e]/u) ?? [];
  if (odd === undefined) return id;
  throw new InputError(
    APPROVAL_ID,
    `contains ${/\p{C}/u.test(odd) ? 'an invisible character' : `"${odd}"`}, which cannot be sent.`,
    'Copy the whole ID again, without quotation marks.',
  );
}
