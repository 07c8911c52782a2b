import { maySee } from '../access/authentication';
import { iso } from '../time/clock';
import { ApiError, notFound } from '../server/errors';
import { emit } from './events';
import { ok, type Operation } from '../server/operation';
import type { Task, TaskResult } from '../records';
import { COMPLETED, findTask, OPEN, saveTask } from '../store/tasks';

/** A task takes exactly one result, which finishes it. */
export const submitResult: Operation = (call, agency) => {
  const task = findTask(agency.db, String(call.params.id));
  if (!task || !maySee(call.principal, task.companyId)) throw notFound('task');
  if (task.status !== OPEN) throw new ApiError('CONFLICT', 'This task already has its result.');
  const result = call.body as TaskResult;
  const now = iso(agency.clock.now());
  const finished: Task = {
    ...task,
    status: COMPLETED,
    resultStatus: result.status,
    updatedAt: now,
    completedAt: now,
  };
  saveTask(agency.db, finished, result);
  emit(agency, 'task.completed', task);
  return ok(finished);
};
