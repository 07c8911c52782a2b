import fc from 'fast-check';
import { approvalPage, noticePage } from '../../../sandbox/admin/approval';
import { html } from '../../../sandbox/admin/html';
import { adminPage } from '../../../sandbox/admin/overview';
import type { AdminView, ApprovalView } from '../../../sandbox/admin/types';
import { approval, emptyView, fullView } from './views';

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
  fc.constantFrom(
    '<script>alert(1)</script>',
    '" onclick="x',
    "' x='",
    '</td></table>',
    '&lt;b&gt;',
    '<!--',
    ']]>',
    '${1}',
  ),
);

/** The same view with every text that comes from outside replaced. */
const withTexts = (text: string): { view: AdminView; change: ApprovalView } => {
  const change: ApprovalView = {
    ...approval,
    id: text,
    operationId: text,
    companyName: text,
    reason: text,
    requestedBy: text,
    path: `/admin/approvals/${text}`,
    changes: [{ path: text, before: text, after: { [text]: [text] } }],
  };
  const view: AdminView = {
    ...fullView,
    agencyUrl: text,
    approvals: [change],
    tasks: fullView.tasks.map((row) => ({ ...row, id: text, companyName: text, instruction: text })),
    keys: fullView.keys.map((key) => ({ ...key, name: text, companies: [text] })),
    documents: fullView.documents.map((row) => ({
      ...row,
      id: text,
      name: text,
      originalFilename: text,
      source: text,
      companyName: text,
    })),
    events: fullView.events.map((row) => ({
      ...row,
      id: text,
      subject: { type: text, id: text },
      companyName: text,
    })),
    deliveries: fullView.deliveries.map((row) => ({
      ...row,
      lastError: text,
      endpointUrl: text,
      eventId: text,
    })),
  };
  return { view, change };
};

describe('the tag html', () => {
  test('escapes every text, and loses nothing of it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const made = html`<p title="${text}">${text}</p>`.text;
        const [, title = '', content = ''] = /^<p title="([^"<>]*)">([^"'<>]*)<\/p>$/s.exec(made) ?? [];
        expect([unescape(title), unescape(content)]).toEqual([text, text]);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps markup, lists of it, numbers and nothing', () => {
    expect(html`${html`<b>${1}</b>`}${[html`<i>2</i>`, html`<i>3</i>`]}${null}`.text).toBe(
      '<b>1</b><i>2</i><i>3</i>',
    );
  });
});

describe('the pages', () => {
  test('have the same tags whatever the texts are', () => {
    const plain = withTexts('a');
    fc.assert(
      fc.property(hostile, (text) => {
        const { view, change } = withTexts(text);
        expect(skeleton(adminPage(view))).toEqual(skeleton(adminPage(plain.view)));
        expect(skeleton(approvalPage(change))).toEqual(skeleton(approvalPage(plain.change)));
        expect(skeleton(noticePage(text, text))).toEqual(skeleton(noticePage('a', 'a')));
      }),
      { numRuns: 100 },
    );
  });

  test('run no script and fit a phone', () => {
    for (const page of [
      adminPage(fullView),
      approvalPage(approval),
      noticePage('Not found', 'There is no such approval.'),
    ]) {
      expect(page).not.toMatch(/<script|javascript:|\son[a-z]+="/);
      expect(page).toContain("default-src 'none'");
      expect(page).toContain('name="viewport" content="width=device-width, initial-scale=1"');
      expect(page).toContain('lang="en"');
    }
  });

  test('show a pending change before and after, with both buttons', () => {
    for (const page of [adminPage(fullView), approvalPage(approval)]) {
      expect(page).toContain('Kohvik &quot;Õunaaed&quot; &lt;b&gt;&amp; Söhne&lt;/b&gt; OÜ');
      expect(page).toContain('agent.mcpEnabled');
      expect(page).toContain('<del>true</del>');
      expect(page).toContain('<ins>false</ins>');
      expect(page).toContain('<del>empty</del>');
      expect(page).toContain('<form method="post" action="/admin/approvals/apr_1">');
      expect(page).toMatch(/<button [^>]*value="approved"/);
      expect(page).toMatch(/<button [^>]*value="rejected"/);
    }
  });

  test.each([
    ['approved', 'once'],
    ['rejected', 'not made'],
    ['used', 'was made'],
    ['expired', 'valid for one day'],
  ] as const)('say what %s means, without buttons', (status, meaning) => {
    const page = approvalPage({ ...approval, status, decidedAt: '2026-11-27T16:00:00.000Z' });
    expect(page).toContain(meaning);
    expect(page).not.toContain('<button');
  });

  test('show keys, documents, events and deliveries with what went wrong', () => {
    const page = adminPage(fullView);
    for (const text of [
      'companies:read companies:write',
      'Sõnajalg Puidutööd OÜ',
      'never expires',
      'Überweisung März.pdf',
      'document.ocr_completed',
      'The address answered 502 Bad Gateway.',
      'No answer within 10 seconds.',
      '2026-11-27 15:05:02 UTC',
    ]) {
      expect(page).toContain(text);
    }
  });

  test('list tasks that a click selects, five at once and the others to be opened', () => {
    const page = adminPage(fullView);
    const [shown = '', more = ''] = page.split('<summary>Show 2 more</summary>');
    expect(shown).toMatch(/<code class="copy" [^>]*>task_5<\/code>/);
    expect(shown).not.toContain('task_6');
    expect(more).toMatch(/task_6.*task_7.*<\/details>/s);
  });

  test('say so when there is nothing', () => {
    const page = adminPage(emptyView);
    expect(page).toContain('No pending approvals.');
    expect(page).not.toContain('<table');
  });
});
