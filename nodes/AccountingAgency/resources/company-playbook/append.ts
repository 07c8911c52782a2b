import { AgencyError } from '../../../shared/api/errors/agency-error';
import type { Schemas } from '../../../shared/api/routes';
import { systemClock, waitUntil } from '../../../shared/api/requests/wait';
import { InputError } from '../../../shared/input-error';
import { isEmpty } from '../../../shared/values/text';
import { companyOf, companyRecord } from '../../engine/company';
import { companyField } from '../../fields/company';
import { idempotencyKey } from '../../fields/options';
import { fingerprint, RememberedEntry } from '../../engine/idempotency';
import type { Item } from '../../engine/item';
import { output, outputFields } from '../../fields/output';
import { playbookView } from '../../fields/record-views';
import type { Operation } from '../../engine/operation';
import { LONGEST_MARKDOWN, markdownText } from './markdown';
import { knownRules, playbookRules, rulesField } from './rules';

type Playbook = Schemas['CompanyPlaybook'];

const TEXT = 'Markdown to Append';

/** How often the playbook is read and replaced before the node gives way to those who keep changing it. */
const MOST_ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 500;

export const append: Operation = {
  value: 'append',
  name: 'Append',
  action: 'Append to company playbook',
  description: "Add text to the end of a company's playbook, or set a rule. Everything else stays as it is.",
  builderHint: 'Takes text or one rule on its own: no Get is needed before it.',
  calls: ['companyPlaybook.replace', 'companyPlaybook.get'],
  fields: [
    companyField,
    {
      displayName: TEXT,
      name: 'markdown',
      type: 'string',
      typeOptions: { rows: 5 },
      default: '',
      placeholder: 'e.g. ## Fuel receipts',
      description:
        'Text to add after an empty line, in Markdown. The playbook can have up to 200,000 characters.',
    },
    {
      ...rulesField,
      description: 'Rule to set. Rules that are not added here stay as they are.',
    },
    ...outputFields(playbookView),
  ],
  options: [idempotencyKey],
  record: companyRecord,
  async execute(item) {
    // Now, since the playbook is read before the first write.
    item.ownKey('');
    const text = markdownText(TEXT, item.value('markdown'));
    const rules = playbookRules(item);
    if (isEmpty(text) && rules === undefined) {
      throw new InputError(TEXT, 'is empty, and no rule was added.', 'Enter the text to add, or add a rule.');
    }
    const changed = [...(isEmpty(text) ? [] : ['markdown']), ...(rules === undefined ? [] : ['rules'])];
    return [output(item, await appended(item, text, rules), playbookView, changed)];
  },
};

/** Reads the playbook and replaces it under its version, until nobody has changed it in between. */
async function appended(item: Item, text: string, rules: Playbook['rules'] | undefined): Promise<Playbook> {
  const path = { id: await companyOf(item) };
  const started = new StartedAppend(item, fingerprint(path, text, rules));
  for (let attempt = 1; ; attempt += 1) {
    const { body: now } = await item.request('GET /companies/{id}/playbook', { path });
    if (!isEmpty(text) && started.isDone(now)) return now;
    const markdown = joined(now.markdown, text);
    started.keep(markdown);
    const header = { 'If-Match': String(now.version) };
    // The specification does not show whether rules that are not sent stay.
    const body = { markdown, rules: rules ?? knownRules(now.rules) };
    const replaced = await item.request('PUT /companies/{id}/playbook', { path, header, body }).then(
      (answer) => answer.body,
      (thrown: unknown) => {
        const code = thrown instanceof AgencyError ? thrown.code : undefined;
        if (code === 'IDEMPOTENCY_KEY_REUSED' && isThere(text, now)) return now;
        if (code !== 'PRECONDITION_FAILED') throw thrown;
        // Nothing was written: what looks like it now is somebody else's.
        started.forget();
        if (attempt === MOST_ATTEMPTS) throw thrown;
        return undefined;
      },
    );
    if (replaced !== undefined) return replaced;
    const pause = systemClock.random() * LONGEST_PAUSE_MS;
    await item.giveWay(async (signal) => await waitUntil(systemClock.now() + pause, systemClock, signal));
  }
}

/** With the user's own key, an earlier execution has already added the text. */
const isThere = (text: string, { markdown }: Playbook): boolean =>
  !isEmpty(text) && comparable(markdown).includes(comparable(text));

/** Nothing says that the agency keeps white space and the form of letters as they were sent, but lines stay lines. */
const comparable = (markdown: string): string =>
  markdown
    .normalize()
    .replace(/[^\S\n\r]+/g, ' ')
    .replace(/ ?[\n\r][ \n\r]*/g, '\n')
    .trim();

/** @throws InputError when it would be too long */
function joined(before: string, text: string): string {
  if (isEmpty(text)) return before;
  const emptyLine = isEmpty(before) ? '' : '\n\n'.slice(/\n{0,2}$/.exec(before)?.[0].length);
  const markdown = `${isEmpty(before) ? '' : before}${emptyLine}${text}`;
  const { length } = [...markdown];
  if (length <= LONGEST_MARKDOWN) return markdown;
  throw new InputError(
    TEXT,
    `would make the playbook ${length} characters long; ${LONGEST_MARKDOWN} are allowed.`,
    'Append less, or shorten the playbook with "Replace".',
  );
}

/**
 * What an earlier try of the same item was about to write. It may have been written although no answer came, and the
 * agency cannot tell, since the text that is sent differs with every version.
 */
class StartedAppend {
  private readonly remembered: RememberedEntry;

  /** @param request a fingerprint of what is appended where: with a corrected text, it is another one */
  constructor(item: Item, request: string) {
    const identity = fingerprint(item.identity('append'), request);
    this.remembered = new RememberedEntry(item.memory, 'appends', identity);
  }

  keep(markdown: string): void {
    const text = comparable(markdown);
    this.remembered.keep({ length: text.length, hash: fingerprint(text) });
  }

  forget(): void {
    this.remembered.forget();
  }

  /** Whether the playbook begins with the lines that were about to be written; others may have appended since. */
  isDone({ markdown }: Playbook): boolean {
    const { length, hash } = this.remembered.get() ?? {};
    if (typeof length !== 'number') return false;
    const text = comparable(markdown);
    return ['', '\n'].includes(text.charAt(length)) && fingerprint(text.slice(0, length)) === hash;
  }
}
