import { afterFailure, LASTING_MS, type Outage } from '../../../nodes/shared/events/outage';

test('a failure is logged when it begins, reported once when it lasts for an hour, and waited out otherwise', () => {
  let outage: Outage | undefined;
  const actions = [0, 60_000, LASTING_MS - 1, LASTING_MS, LASTING_MS + 60_000, 10 * LASTING_MS].map((now) => {
    const next = afterFailure(outage, 1_000 + now);
    outage = next.outage;
    return next.action;
  });
  expect(actions).toEqual(['log', 'wait', 'wait', 'report', 'wait', 'wait']);
});
