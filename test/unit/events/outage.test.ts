import { afterFailure, LASTING_MS, type Outage, tellEnd } from '../../../nodes/shared/events/outage';

test('a failure is logged when it begins, reported once when it lasts for an hour, and waited out otherwise', () => {
  let outage: Outage | undefined;
  const actions = [0, 60_000, LASTING_MS - 1, LASTING_MS, LASTING_MS + 60_000, 10 * LASTING_MS].map((now) => {
    const next = afterFailure(outage, 1_000 + now);
    outage = next.outage;
    return next.action;
  });
  expect(actions).toEqual(['log', 'wait', 'wait', 'report', 'wait', 'wait']);
});

test.each<[string, Outage | undefined, string | undefined, string[]]>([
  ['that never began', undefined, undefined, []],
  [
    'that was logged',
    { since: 0, isReported: false },
    undefined,
    ['node "Agency" of workflow "Test" (w): Over.'],
  ],
  ['that was reported', { since: 0, isReported: true }, 'Over.', []],
])('the end of an outage %s is told where its beginning was', (_, outage, report, logged) => {
  const lines: string[] = [];
  const context = Object.assign(Object.create(null), {
    getNode: () => ({ name: 'Agency' }),
    getWorkflow: () => ({ id: 'w', name: 'Test' }),
    logger: { info: (line: string) => lines.push(line) },
  });
  const words = { begins: 'began', lasts: 'Lasts.', outlook: 'All is kept.', ends: 'Over.' };
  expect(tellEnd(context, words, outage)).toBe(report);
  expect(lines).toEqual(logged);
});
