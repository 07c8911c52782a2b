import type { Task } from '../records';
import type { SeedTask } from '../seed/types';
import type { Database } from './database';

/** The status of a task that waits for its result, and of one that has it. */
export const OPEN = 'open';
export const COMPLETED = 'completed';

/** Adds a task, with its result if it has one. */
export function addTask(db: Database, { task, result }: SeedTask): void {
  db.run('INSERT INTO tasks VALUES (:id, :companyId, :status, :record, :result)', {
    id: task.id,
    companyId: task.companyId,
    status: task.status,
    record: JSON.stringify(task),
    result: result && JSON.stringify(result),
  });
}

/** The task with this ID. */
export function findTask(db: Database, id: string): Task | undefined {
  const row = db.get<{ record: string }>('SELECT record FROM tasks WHERE id = :id', { id });
  return row && JSON.parse(row.record);
}

/** Saves a task that exists with its result. */
export function saveTask(db: Database, task: Task, result: unknown): void {
  db.run('UPDATE tasks SET status = :status, record = :record, result = :result WHERE id = :id', {
    id: task.id,
    status: task.status,
    record: JSON.stringify(task),
    result: JSON.stringify(result),
  });
}

/** Ids of the tasks that wait for their result. */
export function openTaskIds(db: Database): string[] {
  return db
    .all<{ id: string }>('SELECT id FROM tasks WHERE status = :open ORDER BY id', { open: OPEN })
    .map((row) => row.id);
}

/** The first of the tasks that wait for their result. */
export function openTasks(db: Database, limit: number): Task[] {
  return db
    .all<{
      record: string;
    }>('SELECT record FROM tasks WHERE status = :open ORDER BY id LIMIT :limit', { open: OPEN, limit })
    .map((row) => JSON.parse(row.record));
}
