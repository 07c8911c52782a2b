import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EXPECTED_ANSWERS } from '../../../nodes/shared/api/expected-answers';
import { answersModule } from '../../../tools/types/answers';

const contract = parse(readFileSync(join(__dirname, '../../../sandbox/openapi.yaml'), 'utf8'));

test('What answers are expected to hold is what the contract says now', () => {
  expect(answersModule(contract)).toContain(JSON.stringify(EXPECTED_ANSWERS, null, 2));
});
