import { InputError } from '../../../shared/input-error';
import { given, howToGiveOne } from '../../../shared/values/describe-value';
import { withinLength } from '../../../shared/values/text';

/** Spec: Limits, playbook markdown. */
export const LONGEST_MARKDOWN = 200_000;

/**
 * Markdown as it was entered, spaces and line breaks included; `''` when nothing was entered.
 *
 * @throws InputError when it is too long, or no text
 */
export function markdownText(label: string, value: unknown): string {
  if (typeof value === 'string') return withinLength(label, value, LONGEST_MARKDOWN);
  if (value === null || value === undefined) return '';
  throw new InputError(
    label,
    `must be text, not ${given(value)}.`,
    `Check the expression of this field. ${howToGiveOne(value)}`.trim(),
  );
}
