import type { Schemas } from '../../../shared/api/routes';
import { requiredId, requiredText } from '../../../shared/values/text';
import { idempotencyKey } from '../../fields/options';
import { output, outputFields } from '../../fields/output';
import { taskView } from '../../fields/record-views';
import type { Item } from '../../engine/item';
import type { Operation } from '../../engine/operation';
import { otherFields, otherFieldsOf } from './result-fields';

export const submitResult: Operation = {
  value: 'submitResult',
  name: 'Submit Result',
  action: 'Submit task result',
  description: 'Submit the result of an AI task, which completes the task. A result cannot be changed later.',
  builderHint: 'A task takes only one result, which completes it: check the values before this node.',
  calls: ['tasks.submitResult'],
  fields: [
    {
      displayName: 'Task ID',
      name: 'taskId',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. 5f3a81c2',
      description: 'The ID of the AI task, as it was given to the agent',
    },
    {
      displayName: 'Status',
      name: 'status',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. {{ $json.status }}',
      description: "The status of the result, as the task's template defines it",
    },
    ...otherFields,
    ...outputFields(taskView),
  ],
  options: [idempotencyKey],
  record: (item) => `task:${taskOf(item)}`,
  async execute(item) {
    const body: Schemas['TaskResult'] = {
      ...otherFieldsOf(item),
      status: requiredText('Status', item.value('status'), Number.POSITIVE_INFINITY),
    };
    const answer = await item.request('POST /tasks/{id}/result', { path: { id: taskOf(item) }, body });
    return [output(item, answer.body, taskView)];
  },
};

function taskOf(item: Item): string {
  return requiredId('Task ID', item.value('taskId'));
}
