import { writeFileSync } from 'node:fs';
import { answersModule } from './answers';

writeFileSync('nodes/shared/api/expected-answers.ts', answersModule());
