import type { INodeProperties } from 'n8n-workflow';
import { isRecord } from '../../../shared/values/json';
import type { Schemas } from '../../../shared/api/routes';
import { trueOrFalse } from '../../../shared/values/booleans';
import { isEmpty, requiredText } from '../../../shared/values/text';
import type { Item } from '../../engine/item';

/** Spec: Limits, visual review instruction. */
const LONGEST_INSTRUCTION = 500;
/** Spec: CompanyPlaybook, the one target there is. */
const TARGET = 'detailed_line.description';

/** The rules of a playbook; not added, they are not sent. */
export const rulesField: INodeProperties = {
  displayName: 'Rules',
  name: 'rules',
  type: 'fixedCollection',
  placeholder: 'Add rule',
  default: {},
  description:
    'To make sure that the current rules are kept, add them exactly as "Get" returns them. The API does not say what happens to rules that are not sent.',
  options: [
    {
      displayName: 'Visual Review',
      name: 'visualReview',
      values: [
        {
          displayName: 'Visual Review Enabled',
          name: 'enabled',
          type: 'boolean',
          default: true,
          description: 'Whether to review the descriptions of document lines with this instruction',
        },
        {
          displayName: 'Visual Review Instruction',
          name: 'instruction',
          type: 'string',
          typeOptions: { rows: 3 },
          default: '',
          placeholder: 'e.g. Check that every line says what was bought',
          description: 'What to look for in the descriptions of document lines, up to 500 characters',
        },
      ],
    },
  ],
};

/**
 * The rules that an item sends.
 *
 * @returns `undefined` when none was added, or a language model gave no instruction
 * @throws InputError for values that cannot be used
 */
export function playbookRules(item: Item): Schemas['PlaybookRules'] | undefined {
  const rules = item.value('rules');
  const review = isRecord(rules) ? rules.visualReview : undefined;
  if (!isRecord(review)) return undefined;
  const { enabled, instruction } = review;
  if (isEmpty(instruction) && item.filledByModel('rules.visualReview.instruction')) return undefined;
  return {
    visualReview: {
      enabled: trueOrFalse('Visual Review Enabled', enabled),
      target: TARGET,
      instruction: requiredText('Visual Review Instruction', instruction, LONGEST_INSTRUCTION),
    },
  };
}

/** The rules of a playbook that was read, as a write takes them: without fields that the specification does not name. */
export function knownRules(rules: unknown): Schemas['PlaybookRules'] | undefined {
  const review = isRecord(rules) ? rules.visualReview : undefined;
  if (!isRecord(review) || typeof review.instruction !== 'string') return undefined;
  return {
    visualReview: { enabled: review.enabled === true, target: TARGET, instruction: review.instruction },
  };
}
