import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/input-error';
import { optionalId, wholeNumber } from '../../shared/values/text';
import type { Item } from '../engine/item';
import { type Choices, oneOf } from './choices';

const APPROVAL_ID = 'Approval ID';

const DEFAULT_EVERY_SECONDS = 30;
const LONGEST_EVERY_SECONDS = 3600;
const DEFAULT_WAIT_MINUTES = 60;
/** An approval is valid for one day (spec: Limits). */
const LONGEST_WAIT_MINUTES = 24 * 60;

/** What a user may want of a change that needs an administrator's approval. */
export type ApprovalMode = 'stop' | 'output' | 'wait';

const MODES: Choices<ApprovalMode> = [
  {
    name: 'Stop and Show the Link',
    value: 'stop',
    description: 'Stops with the link at which an administrator decides',
  },
  {
    name: 'Output the Approval',
    value: 'output',
    description: 'Outputs the ID and the link of the approval, e.g. to send the link to an administrator',
  },
  {
    name: 'Wait for the Decision',
    value: 'wait',
    description:
      'Goes on when an administrator has approved, and stops when the change is rejected. Administrators find the request in the API-key section of the application.',
  },
];

/** The fields of a change that may need an approval (spec: Approval flow). */
export const approvalFields: INodeProperties[] = [
  {
    displayName: 'When Approval Is Needed',
    name: 'whenApprovalNeeded',
    type: 'options',
    options: MODES,
    default: 'stop',
    description:
      'What to do when an administrator of the agency must approve the change first. Nothing is changed before that.',
  },
  {
    displayName: 'Ask Every (Seconds)',
    name: 'askEverySeconds',
    type: 'number',
    displayOptions: { show: { whenApprovalNeeded: ['wait'] } },
    typeOptions: { minValue: 1, maxValue: LONGEST_EVERY_SECONDS, numberPrecision: 0 },
    default: DEFAULT_EVERY_SECONDS,
    description:
      'How many seconds to wait before asking again, from 1 to 3600. Each time counts as one of the 600 requests a minute.',
  },
  {
    displayName: 'Wait at Most (Minutes)',
    name: 'waitMinutes',
    type: 'number',
    displayOptions: { show: { whenApprovalNeeded: ['wait'] } },
    typeOptions: { minValue: 1, maxValue: LONGEST_WAIT_MINUTES, numberPrecision: 0 },
    default: DEFAULT_WAIT_MINUTES,
    description:
      'After so many minutes it stops with the link, from 1 to 1440, since an approval is valid for one day',
  },
];

/** Option of a change that may need an approval. */
export const approvalIdOption: INodeProperties = {
  displayName: APPROVAL_ID,
  name: 'approvalId',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.approvalId }}',
  description:
    'The ID of an approval that was asked for before, for the very same change. It is valid for one day and one use.',
};

/** What an item's fields say about approvals. */
export interface ApprovalWishes {
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
export function approvalSettings(item: Item): ApprovalWishes {
  const mode = oneOf(MODES)('When Approval Is Needed', item.value('whenApprovalNeeded') ?? 'stop');
  const number = (label: string, name: string, otherwise: number, most: number) =>
    mode === 'wait' ? wholeNumber(label, item.value(name) ?? otherwise, 1, most) : otherwise;
  const every = number(
    'Ask Every (Seconds)',
    'askEverySeconds',
    DEFAULT_EVERY_SECONDS,
    LONGEST_EVERY_SECONDS,
  );
  const longest = number('Wait at Most (Minutes)', 'waitMinutes', DEFAULT_WAIT_MINUTES, LONGEST_WAIT_MINUTES);
  return {
    mode,
    everyMs: every * 1000,
    longestMs: longest * 60_000,
    approvalId: givenApproval(item),
  };
}

/** An Approval ID leaves in a header, which carries printable ASCII only. */
function givenApproval(item: Item): string | undefined {
  const id = optionalId(APPROVAL_ID, item.option('approvalId'));
  const [odd] = id?.match(/[^\x20-\x7e]/u) ?? [];
  if (odd === undefined) return id;
  throw new InputError(
    APPROVAL_ID,
    `holds ${/\p{C}/u.test(odd) ? 'an invisible character' : `"${odd}"`}, which cannot be sent.`,
    'Copy the ID again, whole and without quotation marks.',
  );
}
