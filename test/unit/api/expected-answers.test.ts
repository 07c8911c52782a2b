import { EXPECTED_ANSWERS } from '../../../nodes/shared/api/expected-answers';
import { answersModule } from '../../../tools/types/answers';

test('What answers are expected to hold is what the contract says now', () => {
  expect(answersModule()).toContain(JSON.stringify(EXPECTED_ANSWERS, null, 2));
});
