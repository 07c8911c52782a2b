import fc from 'fast-check';
import { approvalPage, noticePage } from '../../../sandbox/admin/approval';
import { html } from '../../../sandbox/admin/html';
import { adminPage } from '../../../sandbox/admin/overview';
import { approvalOf, EMPTY, viewOf } from './views';

const CHARACTERS: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
};

const unescape = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39|#13);/g, (entity) => CHARACTERS[entity] ?? '');

/** The tags of a page without the values of their attributes. */
const skeleton = (page: string) => page.replace(/"[^"]*"/g, '""').match(/<[^>]*>/g);

/** Texts that try to leave their place, and any others. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('<script>alert(1)</script>', '" onclick="x', "' x='", '</td></table>', '&lt;b&gt;'),
  fc.constantFrom('<!--', ']]>', '${1}'),
);

/** Every page, with this text wherever one comes from outside. */
const pagesOf = (text: string) => [
  adminPage(viewOf(text)),
  approvalPage(approvalOf(text)),
  noticePage(text, text),
];

test('the tag html escapes every text, and loses nothing of it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const made = html`<p title="${text}">${text}</p>`.text;
      const [, title = '', content = ''] = /^<p title="([^"<>]*)">([^"'<>]*)<\/p>$/s.exec(made) ?? [];
      expect([unescape(title), unescape(content)]).toEqual([text, text]);
    }),
    { numRuns: 500 },
  );
});

test('the pages have the same tags whatever the texts are', () => {
  const plain = pagesOf('a').map(skeleton);
  fc.assert(
    fc.property(hostile, (text) => expect(pagesOf(text).map(skeleton)).toEqual(plain)),
    { numRuns: 100 },
  );
});

test('the pages run no script and fit a phone', () => {
  for (const page of pagesOf('a')) {
    expect(page).not.toMatch(/<script|javascript:|\son[a-z]+="/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('name="viewport" content="width=device-width, initial-scale=1"');
    expect(page).toContain('lang="en"');
  }
});

test('a pending change is shown before and after, with both buttons', () => {
  for (const page of pagesOf('Õun & Söhne').slice(0, 2)) {
    for (const text of ['<code>Õun &amp; Söhne</code>', '<del>on</del>', '<ins>off</ins>']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('<del>empty</del>');
    expect(page).toContain('<form method="post" action="/admin/approvals/Õun &amp; Söhne">');
    expect(page).toMatch(/<button [^>]*value="approved".*<button [^>]*value="rejected"/s);
  }
});

test.each([
  ['approved', 'once'],
  ['rejected', 'not made'],
  ['used', 'was made'],
  ['expired', 'valid for one day'],
] as const)('the page of an approval says what %s means, without buttons', (status, meaning) => {
  const page = approvalPage({ ...approvalOf('a'), status, decidedAt: '2026-11-27T16:00:00.000Z' });
  expect(page).toContain(meaning);
  expect(page).not.toContain('<button');
});

test('keys, documents, events and deliveries are shown with what went wrong', () => {
  const page = adminPage(viewOf('No answer'));
  for (const text of [
    'companies:read companies:write',
    'never expires',
    'Document Recognized <code>document.ocr_completed</code>',
    '502 <span class="bad">No answer</span>',
    '2026-11-27 15:05:02 UTC',
  ]) {
    expect(page).toContain(text);
  }
});

test('pending changes are listed five at once, the change and its buttons before who requested it', () => {
  const approvals = Array.from({ length: 6 }, (_, index) => approvalOf(`apr_${index + 1}`));
  const [shown = '', more = ''] = adminPage({ ...EMPTY, approvals }).split('<summary>Show 1 more</summary>');
  expect(shown).toMatch(/<td.*<del>on<\/del>.*value="approved".*Requested by/s);
  expect(shown).toContain('/admin/approvals/apr_5');
  expect(shown).not.toContain('/admin/approvals/apr_6');
  expect(more).toMatch(/apr_6.*value="approved".*<\/details>/s);
});

test('address and keys are shown so that a click selects them, as far as the sandbox knows the key', () => {
  const { keys } = viewOf('aa_live_1');
  const page = adminPage({ ...EMPTY, agencyUrl: 'http://127.0.0.1:4010', keys });
  const selectable = [...page.matchAll(/<code class="copy" [^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(selectable).toEqual(['http://127.0.0.1:4010', 'aa_live_1']);
});

test('tasks are listed so that a click selects them, five at once and the others to be opened', () => {
  const [shown = '', more = ''] = adminPage(viewOf('a')).split('<summary>Show 2 more</summary>');
  expect(shown).toMatch(/<code class="copy" [^>]*>task_5<\/code>/);
  expect(shown).not.toContain('task_6');
  expect(more).toMatch(/task_6.*task_7.*<\/details>/s);
});

test('the page of an agency that has nothing says so', () => {
  const page = adminPage(EMPTY);
  expect(page).toContain('No pending approvals.');
  expect(page).not.toContain('<table');
});
