import assert from 'node:assert/strict';
import { askForAll } from '../../support/agency';
import { tableOf } from './data-table';
import { type Desk, importExample, runByHand, type Trial } from './desk';
import { addresses, sendMails, UNKNOWN } from './mail/mailing';

interface Entry {
  id: string;
  companyId: string;
  companyName: string;
  status: string;
  counts: { open: number; overdue: number };
  documents: { received: number; inbox: number };
}

const DASHBOARD = 'month-end-dashboard.json';
const OFFICE = 'office@agency.example';

/** So many companies are enough for an example that sends or writes something for each. */
const COMPANIES = 40;

/** The month-end work of companies in the newest month, as the agency lists it. */
const board = async ({ stage: { agency } }: Desk) =>
  (await askForAll<Entry>(agency, `/company-periods?period=${agency.period}`)).slice(0, COMPANIES);

/** Sets a node to these companies. */
const boardNode = ({ stage: { agency } }: Desk) => ({
  'Month-end work': {
    parameters: { period: 'other', month: agency.period, returnAll: false, limit: COMPANIES },
  },
});

/** `nightly-inbox-check.json`. */
export const nightlyCheck: Trial = async (desk, check, undo) => {
  await check('nightly-inbox-check: one email with each company with documents in its inbox', async () => {
    const { execution, mails } = await sendMails(
      desk,
      undo,
      'nightly-inbox-check.json',
      'Send the list',
      boardNode(desk),
    );
    assert.equal(execution.status, 'success', execution.error);
    const waiting = (await board(desk)).filter(({ documents }) => documents.inbox > 0);
    assert.ok(waiting.length > 0, 'the sandbox has documents in inboxes');
    const [mail, ...others] = mails;
    assert.deepEqual([mail?.to, others], [OFFICE, []]);
    const companies = waiting.length === 1 ? '1 company' : `${waiting.length} companies`;
    assert.equal(mail?.subject, `Documents in the inbox of ${companies}`);
    const lines = (mail?.text ?? '').split('\n').filter((line) => line.endsWith(' documents'));
    const wanted = waiting.map(
      ({ companyName, documents: { inbox, received } }) =>
        `${companyName}: ${inbox} of ${received} documents`,
    );
    assert.deepEqual([...lines].sort(), wanted.sort());
    const counts = lines.map((line) => Number(/: (\d+) of \d+ documents$/.exec(line)?.[1]));
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a),
    );
  });
  await check('nightly-inbox-check: a list that cannot be read is no empty inbox', async () => {
    const { execution, mails } = await sendMails(desk, undo, 'nightly-inbox-check.json', 'Send the list', {
      'Month-end work': { parameters: { period: 'other', month: '2026-13' } },
    });
    assert.deepEqual(mails, []);
    const [failed] = execution.items('Check failed');
    assert.match(String(failed?.json['reason']), /Month/);
  });
};

/** `missing-documents.json`. */
export const missingDocuments: Trial = async (desk, check, undo) => {
  await check('missing-documents: each company without documents is asked for them', async () => {
    const missing = (await board(desk)).filter(
      ({ documents, status }) => documents.received === 0 && status !== 'done',
    );
    const [one, gone, other] = missing;
    assert.ok(one && gone && other, 'the sandbox has companies that sent nothing');
    const { execution, mails } = await sendMails(desk, undo, 'missing-documents.json', 'Ask the client', {
      ...boardNode(desk),
      Addresses: addresses({ [one.companyId]: 'one@client.example', [gone.companyId]: UNKNOWN }, OFFICE),
    });
    assert.equal(execution.status, 'success', execution.error);
    const { period } = desk.stage.agency;
    const wanted = missing
      .filter((entry) => entry !== gone)
      .map(
        (entry) =>
          `${entry === one ? 'one@client.example' : OFFICE} Documents for ${period}: ${entry.companyName}`,
      );
    assert.deepEqual(mails.map(({ to, subject }) => `${to} ${subject}`).sort(), wanted.sort());
    const refused = execution.items('Not sent').map(({ json }) => json);
    assert.deepEqual(
      refused.map(({ company }) => company),
      [gone.companyName],
    );
    assert.match(String(refused[0]?.['reason']), /No such person/);
  });
};

/** `month-end-dashboard.json`. */
export const dashboard: Trial = async (desk, check) => {
  await check('month-end-dashboard: a row per company in a data table, also after a second run', async () => {
    const change = { ...boardNode(desk), ...(await tableOf(desk, DASHBOARD)) };
    const id = await importExample(desk, DASHBOARD, { change });
    const rows = async () => {
      const execution = await runByHand(desk, id);
      assert.equal(execution.status, 'success', execution.error);
      assert.deepEqual(execution.items('Not saved'), []);
      return execution.items('Add or update').map(({ json }) => json);
    };
    const [first, second] = [await rows(), await rows()];
    const wanted = (await board(desk)).map(({ id, companyName, status, counts, documents }) =>
      [id, companyName, status, counts.overdue, counts.open, documents.inbox].join('|'),
    );
    const kept = first.map((row) =>
      ['entry', 'company', 'status', 'overdue', 'open', 'documentsInInbox']
        .map((name) => row[name])
        .join('|'),
    );
    assert.deepEqual(kept.sort(), wanted.sort());
    const ids = (list: typeof first) => list.map((row) => Number(row['id'])).sort((a, b) => a - b);
    assert.deepEqual(ids(second), ids(first), 'no row was added twice');
  });
};
