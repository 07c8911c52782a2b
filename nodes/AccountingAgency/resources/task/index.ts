import type { Resource } from '../../engine/operation';
import { submitResult } from './submit-result';

export const task: Resource = {
  value: 'task',
  name: 'Task',
  description: 'Tasks that the agency gives to AI agents',
  operations: [submitResult],
  defaultOperation: submitResult.value,
};
