import type { Task } from '../records';
import type { SeedTask } from '../seed/types';
import type { Database } from './database';

/** The status of a task that waits for its result, and of one that has it. */
export const OPEN = 'open';
export const COMPLETED = 'completed';

const columns = (task: Task, result: unknown) => ({
  status: task.status,
  record: JSON.stringify(task),
  result: result === null ? null : JSON.stringify(result),
});

/** Adds a task, with its result if it has one. */
export function addTask(db: Database, { task, result }: SeedTask): void {
  db.insert('tasks', { id: task.id, companyId: task.companyId, ...columns(task, result) });
}

/** The task with this ID. */
export function findTask(db: Database, id: string): Task | undefined {
  return db.records<Task>('SELECT record FROM tasks WHERE id = :id', { id })[0];
}

/** Saves a task that exists with its result. */
export function saveTask(db: Database, task: Task, result: unknown): void {
  db.update('tasks', task.id, columns(task, result));
}

/** The tasks that wait for their result. */
export function openTasks(db: Database): Task[] {
  return db.records<Task>('SELECT record FROM tasks WHERE status = :open ORDER BY id', { open: OPEN });
}
