import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, runAction } from '../../support/action/action';
import { companyById, listedCompanies } from '../../support/action/company';
import { retriedFrom } from '../../support/action/retry';
import { refusal, useReadingProxy } from '../../support/proxies/reading-proxy';
import { useSandbox } from '../../support/sandbox/sandbox';
import { until } from '../../support/time/until';

const sandbox = useSandbox({ documents: 30 });
const proxy = useReadingProxy(() => sandbox().url);

type Playbook = Schemas['CompanyPlaybook'];

let companyId: string;

beforeEach(async () => {
  companyId = (await listedCompanies(sandbox()))[0].id;
});

const read = async (): Promise<Playbook> =>
  (await sandbox().call<Playbook>({ path: `/companies/${companyId}/playbook` })).body;

const write = async (markdown: string): Promise<Playbook> => {
  const headers = { 'if-match': String((await read()).version) };
  const path = `/companies/${companyId}/playbook`;
  return (await sandbox().call<Playbook>({ method: 'PUT', path, headers, body: { markdown } })).body;
};

const append = (fields: INodeParameters): INodeParameters => ({
  resource: 'companyPlaybook',
  operation: 'append',
  companyId: companyById(companyId),
  ...fields,
});

const puts = async () =>
  (await sandbox().requests()).filter(
    ({ method, headers }) => method === 'PUT' && headers['user-agent'] !== 'node',
  );

test.each([
  ['# Rules', '# Rules\n\n## Fuel'],
  ['# Rules\n', '# Rules\n\n## Fuel'],
  ['# Rules\n\n\n', '# Rules\n\n\n## Fuel'],
  ['', '## Fuel'],
])('adds text after an empty line to %j, and nothing else changes', async (before, markdown) => {
  const { version, rules } = await write(before);
  const made = jsonOf(await runAction(sandbox(), append({ markdown: '## Fuel' })));
  expect(made).toEqual([await read()]);
  expect(made).toEqual([expect.objectContaining({ markdown, rules, version: version + 1 })]);
});

test('sets a rule and leaves the text', async () => {
  const { markdown, version } = await read();
  const rules = { visualReview: { enabled: true, instruction: 'Say what was bought' } };
  jsonOf(await runAction(sandbox(), append({ rules })));
  expect(await read()).toMatchObject({ markdown, rules, version: version + 1 });
});

test('what several executions append at the same time is all there, once', async () => {
  const texts = ['one', 'two', 'three', 'four'].map((word) => `- ${word} 🧾`);
  const made = await Promise.all(
    texts.map(async (markdown, index) =>
      runAction(sandbox(), append({ markdown }), { executionId: String(index + 1) }),
    ),
  );
  for (const result of made) jsonOf(result);
  const { markdown } = await read();
  for (const text of texts) expect(markdown.split(text)).toHaveLength(2);
  const keys = (await puts()).map(({ headers }) => headers['idempotency-key']);
  expect(keys.length).toBeGreaterThan(texts.length);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  ['begins with the same words', '- fuel receipts'],
  ['is the same', '- fuel'],
])('what somebody else appends meanwhile is not taken for the own text when it %s', async (_, other) => {
  await write('# Rules');
  const path = '/companies/*/playbook';
  await sandbox().control('faults', [{ method: 'PUT', path, times: 1, fault: 'delay', delayMs: 500 }]);
  const appending = runAction(sandbox(), append({ markdown: '- fuel' }));
  await until('the first PUT', async () => (await puts()).length > 0, 5000);
  await write(`# Rules\n\n${other}`);
  jsonOf(await appending);
  expect((await read()).markdown).toBe(`# Rules\n\n${other}\n\n- fuel`);
});

test.each([
  ['text', { markdown: '- 24 %' }],
  ['rule', { markdown: '- 22 %', rules: { visualReview: { enabled: true, instruction: 'Look' } } }],
])('a retry with a corrected %s appends it', async (_, corrected) => {
  await write('# Rules');
  const other = (await listedCompanies(sandbox()))[1];
  const forEach = (fields: INodeParameters) =>
    append({ companyId: companyById('={{ $json.company }}'), options: { concurrency: 1 }, ...fields });
  const input = [companyId, 'cmp_none'].map((company) => ({ json: { company } }));
  const first = await runAction(sandbox(), forEach({ markdown: '- 22 %' }), { input });
  expect(first.error?.message).toContain('not found');
  const fixed = forEach({
    ...corrected,
    companyId: companyById(`={{ $json.company === "cmp_none" ? "${other?.id}" : $json.company }}`),
  });
  const resume = retriedFrom(first.run, fixed);
  jsonOf(await runAction(sandbox(), fixed, { input, resume, mode: 'retry', executionId: '2' }));
  const { markdown, rules } = await read();
  expect(markdown).toContain(corrected.markdown);
  if ('rules' in corrected) expect(rules).toMatchObject(corrected.rules);
});

test('gives up with the reason when the playbook keeps changing', async () => {
  const fault = { method: 'PUT', path: '/companies/*/playbook', times: 100, fault: 'status' };
  await sandbox().control('faults', [{ ...fault, status: 412, code: 'PRECONDITION_FAILED' }]);
  const { error } = await runAction(sandbox(), append({ markdown: 'x' }));
  expect(error?.message).toBe('The playbook has changed since it was read. [item 0]');
  expect(await puts()).toHaveLength(8);
});

test('an append whose answer was lost is not done again by a retry of the execution', async () => {
  const fault = { method: 'PUT', path: '/companies/*/playbook', times: 1 };
  await sandbox().control('faults', [
    { ...fault, fault: 'reset-after' },
    { ...fault, fault: 'status', status: 403, code: 'FORBIDDEN' },
  ]);
  const first = await runAction(sandbox(), append({ markdown: '- once' }));
  expect(first.error).toBeDefined();
  const resume = retriedFrom(first.run);
  const again = await runAction(sandbox(), append({ markdown: '- once' }), {
    resume,
    mode: 'retry',
    executionId: '2',
  });
  expect(jsonOf(again)).toEqual([await read()]);
  expect((await read()).markdown.split('- once')).toHaveLength(2);
});

test('so is one at an agency that tidies what is written', async () => {
  const tidy = ({ markdown, ...body }: Record<string, unknown>) => ({
    ...body,
    markdown: String(markdown)
      .normalize('NFD')
      .replace(/[ \t]*\r?\n/g, '\n')
      .trim(),
  });
  let isLost = true;
  proxy.read({
    asked: (asked) =>
      asked.method === 'PUT'
        ? { ...asked, body: Buffer.from(JSON.stringify(tidy(JSON.parse(asked.body.toString())))) }
        : asked,
    answered(answer, { method }) {
      if (method !== 'PUT' || !isLost) return answer;
      isLost = false;
      return refusal(403, 'FORBIDDEN');
    },
  });
  const credential = { address: proxy.address(), token: sandbox().keys.full };
  const parameters = append({ markdown: '- once \r\n- käibemaks\n\n' });
  const first = await runAction(sandbox(), parameters, { credential });
  expect(first.error).toBeDefined();
  const resume = retriedFrom(first.run);
  jsonOf(await runAction(sandbox(), parameters, { resume, mode: 'retry', executionId: '2', credential }));
  expect((await read()).markdown.split('- once')).toHaveLength(2);
});

test("with the user's own key, another execution does not append the same again", async () => {
  const parameters = append({ markdown: '- once', options: { idempotencyKey: 'mail-1' } });
  jsonOf(await runAction(sandbox(), parameters, { executionId: '1' }));
  expect(jsonOf(await runAction(sandbox(), parameters, { executionId: '2' }))).toEqual([await read()]);
  expect((await read()).markdown.split('- once')).toHaveLength(2);
  const other = append({ markdown: '- other', options: { idempotencyKey: 'mail-1' } });
  const { error } = await runAction(sandbox(), other, { executionId: '3' });
  expect(error?.message).toBe('The idempotency key was already used for a different request. [item 0]');
});

test('refuses what it cannot use by name, before anything is changed', async () => {
  await write('x'.repeat(199_990));
  const refused: Array<[INodeParameters, string]> = [
    [{}, 'Markdown to Append is empty, and no rule was added.'],
    [{ markdown: ' \n' }, 'Markdown to Append is empty, and no rule was added.'],
    [{ markdown: '={{ [1] }}' }, 'Markdown to Append must be text, not a list (1).'],
    [
      { markdown: '={{ $json.missing }}' },
      'Markdown to Append is an expression that returns nothing for this item.',
    ],
    [
      { markdown: '123456789' },
      'Markdown to Append would make the playbook 200001 characters long; 200000 are allowed.',
    ],
  ];
  for (const [fields, message] of refused) {
    const { error } = await runAction(sandbox(), append(fields));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await puts()).toEqual([]);
});
