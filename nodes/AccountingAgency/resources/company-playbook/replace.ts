import type { INodeProperties } from 'n8n-workflow';
import type { Schemas } from '../../../shared/api/routes';
import { InputError } from '../../../shared/input-error';
import { given } from '../../../shared/values/describe-value';
import { isOn } from '../../../shared/values/booleans';
import { isEmpty } from '../../../shared/values/text';
import { companyOf, companyRecord } from '../../engine/company';
import { companyField } from '../../fields/company';
import { idempotencyKey } from '../../fields/options';
import type { Item } from '../../engine/item';
import { output, outputFields } from '../../fields/output';
import { playbookView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { markdownText } from './markdown';
import { playbookRules, rulesField } from './rules';

const ALLOW_EMPTY = 'Allow Empty';

const allowEmpty: INodeProperties = {
  displayName: ALLOW_EMPTY,
  name: 'allowEmpty',
  type: 'boolean',
  // Who adds the option wants it; without it, an empty text is refused.
  default: true,
  description: 'Whether to allow empty text, which clears the playbook of the company',
};

export const replace: Operation = {
  value: 'replace',
  name: 'Replace',
  action: 'Replace company playbook',
  description:
    'Replace the whole playbook of a company. Get it first, for its version. To add text, use "Append".',
  builderHint: 'To add text, use Append. Otherwise connect Get before it, and take Version from its output.',
  calls: ['companyPlaybook.replace'],
  fields: [
    companyField,
    {
      displayName:
        'This overwrites the whole playbook of the company. Get it first, and use the version that "Get" returns, so that nobody else\'s changes are overwritten.',
      name: 'overwriteNotice',
      type: 'notice',
      default: '',
    },
    {
      displayName: 'Version',
      name: 'version',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. {{ $json.version }}',
      description:
        'The version that "Get" returned. If the playbook has changed since then, nothing is replaced.',
    },
    {
      displayName: 'Markdown',
      name: 'markdown',
      type: 'string',
      typeOptions: { rows: 8 },
      default: '',
      placeholder: 'e.g. # Working instructions',
      description: 'The complete new playbook, in Markdown, up to 200,000 characters',
    },
    rulesField,
    ...outputFields(playbookView),
  ],
  options: [allowEmpty, idempotencyKey],
  record: companyRecord,
  async execute(item) {
    const body: Schemas['CompanyPlaybookReplace'] = { markdown: markdown(item), rules: playbookRules(item) };
    const answer = await item.request('PUT /companies/{id}/playbook', {
      path: { id: await companyOf(item) },
      header: { 'If-Match': version(item) },
      body,
    });
    return [output(item, answer.body, playbookView, Object.keys(body))];
  },
};

/** The text as it is, spaces and line breaks included. */
function markdown(item: Item): string {
  const value = item.value('markdown') ?? '';
  const mayBeEmpty = isOn(ALLOW_EMPTY, item.option('allowEmpty'));
  if (isEmpty(value) && !mayBeEmpty) {
    throw new InputError(
      'Markdown',
      'is empty, which would leave the company without a playbook.',
      `Enter the new playbook, or check the expression that returns it. To clear it, add the option ${ALLOW_EMPTY}.`,
    );
  }
  return markdownText('Markdown', value);
}

/** The version as the header `If-Match` carries it; the header of a read has it in quotes. */
function version(item: Item): string {
  const value = item.value('version');
  const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
  const [, digits] = /^(?:W\/)?"?(\d+)"?$/.exec(text.trim()) ?? [];
  if (digits !== undefined) return digits;
  throw new InputError(
    'Version',
    isEmpty(value) ? 'is empty.' : `must be a whole number, not ${given(value)}.`,
    'Get the playbook first, and use its version, e.g. {{ $json.version }}.',
  );
}
