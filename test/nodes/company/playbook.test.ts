import type { INodeParameters } from 'n8n-workflow';
import type { Schemas } from '../../../nodes/shared/api/routes';
import { jsonOf, loggedBody, runAction } from '../../support/action/action';
import { companyById } from '../../support/action/company';
import { useSandbox } from '../../support/sandbox/sandbox';

const sandbox = useSandbox({ documents: 30 });

type Playbook = Schemas['CompanyPlaybook'];

let companyId: string;

beforeEach(async () => {
  const { body } = await sandbox().call<{ data: Array<Schemas['Company']> }>({
    path: '/companies',
    query: { limit: 1 },
  });
  companyId = body.data[0]?.id ?? '';
});

const read = async (): Promise<Playbook> =>
  (await sandbox().call<Playbook>({ path: `/companies/${companyId}/playbook` })).body;

const replace = (fields: INodeParameters): INodeParameters => ({
  resource: 'companyPlaybook',
  operation: 'replace',
  companyId: companyById(companyId),
  ...fields,
});

const puts = async () => (await sandbox().requests()).filter(({ method }) => method === 'PUT');

test('Get outputs the playbook with its version as a field', async () => {
  const parameters = { resource: 'companyPlaybook', operation: 'get', companyId: companyById(companyId) };
  const playbook = await read();
  expect(jsonOf(await runAction(sandbox(), parameters))).toEqual([playbook]);
  expect(playbook.version).toEqual(expect.any(Number));
  expect((await sandbox().requests()).at(-1)).toMatchObject({
    method: 'GET',
    path: `/api/v1/companies/${companyId}/playbook`,
  });
});

test('replaces the version that was read, and sends the text as it is and no rules', async () => {
  const before = await read();
  const markdown = '\n# Õunapuu OÜ\n\n- 🧾 first  \n';
  const fields = replace({ version: '={{ $json.version }}', markdown: '={{ $json.text }}' });
  const input = [{ json: { version: before.version, text: markdown } }];
  const result = await runAction(sandbox(), fields, { input });
  expect(jsonOf(result)).toEqual([await read()]);
  expect(await read()).toMatchObject({ markdown, version: before.version + 1 });
  expect(await puts()).toEqual([
    expect.objectContaining({
      headers: expect.objectContaining({
        'if-match': String(before.version),
        'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
      ...loggedBody({ markdown }),
    }),
  ]);
});

test.each(['"', 'W/"'])('takes the version as the header of a read has it: %s', async (quote) => {
  const { version } = await read();
  const result = await runAction(sandbox(), replace({ version: ` ${quote}${version}" `, markdown: 'x' }));
  expect(jsonOf(result)).toEqual([expect.objectContaining({ version: version + 1 })]);
});

test('sends rules that were added', async () => {
  const { version } = await read();
  const rules = { visualReview: { enabled: false, instruction: ' Check the car number ' } };
  const visualReview = {
    enabled: false,
    target: 'detailed_line.description',
    instruction: 'Check the car number',
  };
  const result = await runAction(sandbox(), replace({ version, markdown: 'x', rules }));
  expect(jsonOf(result)).toEqual([expect.objectContaining({ rules: { visualReview } })]);
  expect((await puts())[0]).toMatchObject(loggedBody({ markdown: 'x', rules: { visualReview } }));
});

test('leaves out rules whose instruction a language model left empty', async () => {
  const { version } = await read();
  const instruction = "={{ $fromAI('instruction', '', 'string') }}";
  const fields = replace({ version, markdown: 'x', rules: { visualReview: { enabled: true, instruction } } });
  jsonOf(await runAction(sandbox(), fields, { input: [{ json: { instruction: '' } }] }));
  expect((await puts())[0]).toMatchObject(loggedBody({ markdown: 'x' }));
});

test('says that the playbook was changed since it was read, and tries once', async () => {
  const { version, markdown } = await read();
  const { error } = await runAction(sandbox(), replace({ version: String(version + 1), markdown: 'x' }));
  expect(error?.message).toBe('The playbook has changed since it was read. [item 0]');
  expect(error?.description).toContain('get the playbook again');
  expect(await puts()).toHaveLength(1);
  expect(await read()).toMatchObject({ version, markdown });
});

test('takes a text of 200,000 characters and an instruction of 500', async () => {
  const { version } = await read();
  const input = [{ json: { text: '🧾'.repeat(200_000) } }];
  const rules = { visualReview: { enabled: true, instruction: '🧾'.repeat(500) } };
  const fields = replace({ version, markdown: '={{ $json.text }}', rules });
  expect(jsonOf(await runAction(sandbox(), fields, { input }))).toEqual([
    expect.objectContaining({ version: version + 1 }),
  ]);
});

test('refuses what the API would not take, by name and before any request', async () => {
  const review = (visualReview: INodeParameters) => ({ rules: { visualReview } });
  const refused: Array<[INodeParameters, string]> = [
    [{ version: '={{ undefined }}' }, 'Version is an expression that returns nothing for this item.'],
    [{ version: '={{ null }}' }, 'Version is empty.'],
    [{ version: 'undefined' }, 'Version must be a whole number, not "undefined".'],
    [{ version: '={{ 1.5 }}' }, 'Version must be a whole number, not 1.5.'],
    [{ markdown: '={{ " " }}' }, 'Markdown is empty, which would leave the company without a playbook.'],
    [{ markdown: '={{ ["a"] }}' }, 'Markdown must be text, not a list (a).'],
    [
      { markdown: '={{ "x".repeat(200001) }}' },
      'Markdown has 200001 characters, but only 200000 are allowed.',
    ],
    [review({ enabled: true, instruction: '' }), 'Visual Review Instruction is empty.'],
    [
      review({ enabled: true, instruction: 'x'.repeat(501) }),
      'Visual Review Instruction has 501 characters, but only 500 are allowed.',
    ],
    [
      review({ enabled: '={{ "on" }}', instruction: 'x' }),
      'Visual Review Enabled must be true or false, not "on".',
    ],
  ];
  for (const [fields, message] of refused) {
    const { error } = await runAction(sandbox(), replace({ version: '1', markdown: 'x', ...fields }));
    expect(error?.message).toBe(`${message} [item 0]`);
  }
  expect(await puts()).toEqual([]);
});

test.each(['', '={{ "" }}', '={{ null }}'])(
  'clears the playbook with %p when that is allowed',
  async (markdown) => {
    const { version } = await read();
    const options = { allowEmpty: true };
    const result = await runAction(sandbox(), replace({ version, markdown, options }));
    expect(jsonOf(result)).toEqual([expect.objectContaining({ markdown: '', version: version + 1 })]);
    expect((await puts())[0]).toMatchObject(loggedBody({ markdown: '' }));
  },
);

test.each([false, '={{ "false" }}', '={{ "maybe" }}'])(
  'refuses an empty text when the option is %p, and says how to clear',
  async (allowEmpty) => {
    const { version } = await read();
    const fields = replace({ version, markdown: '={{ "" }}', options: { allowEmpty } });
    const { error } = await runAction(sandbox(), fields);
    expect(error?.message).toMatch(/^(Markdown is empty|Allow Empty must be true or false)/);
    expect(await puts()).toEqual([]);
  },
);

test('replaces item after item; the second with the same version finds it changed', async () => {
  const { version } = await read();
  const input = ['first', 'second'].map((text) => ({ json: { text } }));
  const fields = replace({ version: String(version), markdown: '={{ $json.text }}' });
  const { outputs } = await runAction(sandbox(), fields, { input, onError: 'continueErrorOutput' });
  expect(outputs[0]).toEqual([
    { json: expect.objectContaining({ markdown: 'first', version: version + 1 }), pairedItem: { item: 0 } },
  ]);
  expect(outputs[1]?.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
    ['The playbook has changed since it was read.', { item: 1 }],
  ]);
});
