import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { askForAll } from '../../support/agency';
import type { Trial } from './desk';
import { addresses, sendMails, UNKNOWN } from './mail/mailing';

interface Obligation {
  label: string;
  dueDate: string;
  status: string;
  overdue: boolean;
  assigneeUserId: string | null;
}

const OFFICE = 'office@agency.example';
/** The time zone of an n8n that was not given one. */
const ZONE = 'America/New_York';

/** `month-end-reminders.json`. */
export const monthEndReminders: Trial = async (desk, check, undo) => {
  const { agency } = desk.stage;
  const entries = await askForAll<{ companyName: string; obligations: Obligation[] }>(
    agency,
    `/company-periods?period=${agency.period}`,
  );
  const lastDay = DateTime.now().setZone(ZONE).plus({ days: 7 }).toFormat('yyyy-MM-dd');
  const due = entries.flatMap(({ companyName, obligations }) =>
    obligations
      .filter(({ status, dueDate }) => !['done', 'not_applicable'].includes(status) && dueDate <= lastDay)
      .map((obligation) => ({ companyName, ...obligation })),
  );
  const [one, gone] = [...new Set(due.flatMap(({ assigneeUserId }) => assigneeUserId ?? []))];
  const people = { [one ?? '']: 'mari@agency.example', [gone ?? '']: UNKNOWN };
  const addressOf = ({ assigneeUserId }: Obligation) => people[assigneeUserId ?? ''] ?? OFFICE;

  await check(
    'month-end-reminders: one email to each person; what cannot be sent leaves with its reason',
    async () => {
      const { execution, mails } = await sendMails(
        desk,
        undo,
        'month-end-reminders.json',
        'Send the reminder',
        {
          'Due within a week': { parameters: { period: 'other', month: agency.period } },
          Addresses: addresses(people, OFFICE),
        },
      );
      assert.equal(execution.status, 'success', execution.error);
      const lines = mails.flatMap(({ to, text }) =>
        text
          .split('\n')
          .filter((line) => /^\d{4}-/.test(line))
          .map((line) => `${to} ${line.trim()}`),
      );
      const wanted = due
        .filter((obligation) => addressOf(obligation) !== UNKNOWN)
        .map((obligation) => {
          const { dueDate, companyName, label, overdue } = obligation;
          return `${addressOf(obligation)} ${dueDate}  ${companyName}: ${label}${overdue ? ' (overdue)' : ''}`;
        });
      assert.ok(
        wanted.some((line) => line.startsWith('mari@')),
        'the sandbox has something due',
      );
      assert.deepEqual([...lines].sort(), wanted.sort());
      const dates = lines.map((line) => line.split(' ').slice(0, 2).join(' '));
      for (const { to } of mails) {
        const own = dates.filter((date) => date.startsWith(to) && to !== OFFICE);
        assert.deepEqual(own, [...own].sort(), 'the earliest stand first');
      }
      const [{ json: refused } = { json: {} }, ...others] = execution.items('Not sent');
      assert.deepEqual([refused['to'], others], [UNKNOWN, []]);
      assert.match(String(refused['reason']), /No such person/);
    },
  );
};
