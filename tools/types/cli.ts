import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { answersModule } from './answers';

writeFileSync(
  'nodes/shared/api/expected-answers.ts',
  answersModule(parse(readFileSync('sandbox/openapi.yaml', 'utf8'))),
);
