import type { Company, CompanyPlaybook } from '../../../sandbox/records';
import { first } from '../../support/sandbox/pages';
import { useSandbox, type ApiErrorBody } from '../../support/sandbox/sandbox';

const sandbox = useSandbox();

let path = '';
let before: CompanyPlaybook;

beforeEach(async () => {
  path = `/companies/${(await first<Company>(sandbox(), '/companies')).id}/playbook`;
  before = (await sandbox().call<CompanyPlaybook>({ path })).body;
});

const replace = <T = CompanyPlaybook>(body: unknown, headers: Record<string, string> = {}) =>
  sandbox().call<T>({ method: 'PUT', path, body, headers });

const RULES = {
  visualReview: { enabled: true, target: 'detailed_line.description', instruction: 'Look at the lines' },
};

test('a read carries the version as ETag', async () => {
  const { headers, body } = await sandbox().call<CompanyPlaybook>({ path });
  expect(headers.get('etag')).toBe(`"${body.version}"`);
});

test.each([
  ['plain', (version: number) => `${version}`],
  ['in quotes', (version: number) => `"${version}"`],
])('it is replaced when If-Match names its version %s', async (_how, ifMatch) => {
  const body = { markdown: '# Töö\n', rules: RULES };
  const answer = await replace(body, { 'if-match': ifMatch(before.version) });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ ...body, companyId: before.companyId, version: before.version + 1 });
  expect(answer.headers.get('etag')).toBe(`"${before.version + 1}"`);
  expect((await sandbox().call<CompanyPlaybook>({ path })).body).toEqual(answer.body);
});

test('rules that are not given stay', async () => {
  const { body } = await replace({ markdown: '' }, { 'if-match': `${before.version}` });
  expect(body).toMatchObject({ markdown: '', rules: before.rules });
});

test.each([['0'], ['"0"'], ['*'], ['x']])('If-Match %s is another version: 412', async (ifMatch) => {
  const answer = await replace<ApiErrorBody>({ markdown: 'x' }, { 'if-match': ifMatch });
  expect([answer.status, answer.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
  expect((await sandbox().call<CompanyPlaybook>({ path })).body).toEqual(before);
});

test('without If-Match: 428', async () => {
  const answer = await replace<ApiErrorBody>({ markdown: 'x' });
  expect([answer.status, answer.body.error.code]).toEqual([428, 'PRECONDITION_REQUIRED']);
  expect((await sandbox().call<CompanyPlaybook>({ path })).body).toEqual(before);
});

test('of two replacements of one version one wins', async () => {
  const headers = { 'if-match': `${before.version}` };
  const answers = await Promise.all(['a', 'b'].map((markdown) => replace<object>({ markdown }, headers)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
});

test('a replay answers the first success, though the version has moved on', async () => {
  const headers = { 'if-match': `${before.version}`, 'idempotency-key': 'p' };
  const firstAnswer = await replace({ markdown: 'x' }, headers);
  const replay = await replace({ markdown: 'x' }, headers);
  expect(replay.body).toEqual(firstAnswer.body);
  expect(replay.headers.get('etag')).toBe(firstAnswer.headers.get('etag'));
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
});

const review = (more: object) => ({
  markdown: '',
  rules: { visualReview: { ...RULES.visualReview, ...more } },
});

test.each([
  ['no markdown', { rules: RULES }, 'markdown'],
  ['200001 characters', { markdown: 'x'.repeat(200_001) }, 'markdown'],
  ['an empty instruction', review({ instruction: '' }), 'rules.visualReview.instruction'],
  ['an instruction of 501', review({ instruction: 'x'.repeat(501) }), 'rules.visualReview.instruction'],
  ['another target', review({ target: 'x' }), 'rules.visualReview.target'],
  ['rules without review', { markdown: '', rules: {} }, 'rules.visualReview'],
  ['a version', { markdown: '', version: 3 }, 'version'],
])('is refused with %s', async (_what, body, issue) => {
  const answer = await replace<ApiErrorBody>(body, { 'if-match': `${before.version}` });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details?.issues?.map((one) => one.path)).toContain(issue);
});

test('takes 200000 characters beyond ASCII, and an instruction of 500', async () => {
  const body = { ...review({ instruction: 'õ'.repeat(500) }), markdown: '🧾'.repeat(200_000) };
  const answer = await replace(body, { 'if-match': `${before.version}` });
  expect(answer.status).toBe(200);
  expect(answer.body.markdown).toBe(body.markdown);
});
