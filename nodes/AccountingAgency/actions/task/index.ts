import type { Resource } from '../operation';
import { submitResult } from './submitResult.operation';

export const task: Resource = {
  value: 'task',
  name: 'Task',
  description: 'Tasks that the agency gives to AI agents',
  operations: [submitResult],
  defaultOperation: submitResult.value,
};
