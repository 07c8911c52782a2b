import type { Resource } from '../../engine/operation';
import { submitResult } from './submit-result';

export const task: Resource = {
  value: 'task',
  name: 'Task',
  description: 'Tasks for AI agents',
  operations: [submitResult],
  defaultOperation: submitResult.value,
};
