import { RESOURCES } from '../../../nodes/AccountingAgency/resources/registry';
import { picked } from '../../../nodes/AccountingAgency/fields/output';
import { obligationView, type RecordView } from '../../../nodes/AccountingAgency/fields/record-views';
import { recordSample, VIEWS } from '../../../tools/previews/previews';

/** What the run adds to records that have a company's ID alone. */
const ADDED = ['companyName'];

function kinds(): Array<[string, object, RecordView<never>]> {
  const obligation = { ...recordSample('CompanyPeriod'), ...recordSample('Obligation') };
  const { companyName, primaryAccountantUserId } = obligation;
  return [
    ['Obligation', { ...recordSample('Obligation'), companyName, primaryAccountantUserId }, obligationView],
    ...Object.entries(VIEWS).map(([kind, view]): [string, object, RecordView<never>] => [
      kind,
      recordSample(kind as keyof typeof VIEWS),
      view,
    ]),
  ];
}

test.each(kinds())(
  '%s: every field can be selected, and at most ten are simplified',
  (kind, record, view) => {
    const names = [...view.simplified, ...view.more];
    expect(new Set(names).size).toBe(names.length);
    expect(view.simplified.length).toBeLessThanOrEqual(10);
    const shown = Object.keys(picked(record, view as RecordView<object>, names));
    expect([...shown, ...ADDED.filter((name) => !shown.includes(name))]).toEqual(
      expect.arrayContaining(names),
    );
    // A task's result is no part of the answer (spec: Task).
    const own = Object.keys(record).filter((name) => !(kind === 'Task' && name === 'result'));
    expect(names).toEqual(expect.arrayContaining(own));
  },
);

test('every operation but removal and test call lets the user choose its output', () => {
  const without = RESOURCES.flatMap(({ value, operations }) =>
    operations
      .filter(({ fields }) => !fields.some(({ name }) => name === 'output'))
      .map((operation) => `${value}:${operation.value}`),
  );
  expect(without).toEqual(['webhookEndpoint:delete', 'webhookEndpoint:sendTestEvent']);
});
