import assert from 'node:assert/strict';
import { askForAll } from '../../support/agency';
import { importExample, runByHand, type Trial } from './desk';

interface Entry {
  companyName: string;
  status: string;
  nextDueDate: string | null;
  counts: { open: number; overdue: number };
}

/** `month-end-overview.json`. */
export const monthEnd: Trial = async (desk, check) => {
  const { agency } = desk.stage;
  const entries = (status: string) =>
    askForAll<Entry>(agency, `/company-periods?period=${agency.period}&status=${status}`);
  const importFor = (month: string) => {
    const assignment = { id: 'month', name: 'month', type: 'string', value: month };
    const parameters = { assignments: { assignments: [assignment] } };
    return importExample(desk, 'month-end-overview.json', { change: { Month: { parameters } } });
  };
  await check('month-end-overview: the month before this one by itself', async () => {
    const execution = await runByHand(desk, await importExample(desk, 'month-end-overview.json'));
    assert.equal(execution.status, 'success', execution.error);
    const month = String(execution.items('Month')[0]?.json['month']);
    assert.match(month, /^\d{4}-(0[1-9]|1[0-2])$/);
    assert.ok(month < new Date().toISOString().slice(0, 7), month);
  });
  await check('month-end-overview: a row for each company overdue or open, the overdue first', async () => {
    const id = await importFor(agency.period);
    const execution = await runByHand(desk, id);
    assert.equal(execution.status, 'success', execution.error);
    const rows = execution.items('Table row').map(({ json }) => json);
    const [overdue, open] = [await entries('overdue'), await entries('open')];
    assert.ok(overdue.length > 0 && open.length > 0, 'the sandbox has overdue and open companies');
    const wanted = [...overdue, ...open].map(({ companyName, status, counts, nextDueDate }) =>
      [companyName, status, counts.overdue, counts.open, nextDueDate ?? ''].join('|'),
    );
    const shown = rows.map((row) =>
      [row['company'], row['status'], row['overdue'], row['open'], row['nextDueDate']].join('|'),
    );
    assert.deepEqual([...shown].sort(), wanted.sort());
    const order = rows.map(
      ({ status, nextDueDate }) => `${status === 'overdue' ? 0 : 1} ${String(nextDueDate)}`,
    );
    assert.deepEqual(order, [...order].sort());
  });
  await check(
    'month-end-overview: what is no month leaves by the error output, with the reason',
    async () => {
      const execution = await runByHand(desk, await importFor('soon'));
      assert.equal(execution.status, 'success', execution.error);
      assert.deepEqual(execution.items('Table row'), []);
      assert.match(String(execution.items('Not listed')[0]?.json['reason']), /Period is not a month: "soon"/);
    },
  );
};
