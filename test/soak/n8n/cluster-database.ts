import { execFileSync } from 'node:child_process';
import { LOOPBACK } from '../../../tools/n8n/processes/process';
import type { Queue } from '../../../tools/n8n/server';
import type { Executions } from './killed-flow';

/** Looks into the PostgreSQL database of an n8n in queue mode. */
export class ClusterDatabase implements Executions {
  constructor(private readonly postgres: Queue['postgres']) {}

  executions(workflowId: string): Map<string, number> {
    const rows = this.all<{ status: string; count: number }>(
      `SELECT status, count(*) AS count FROM execution_entity WHERE "workflowId" = '${workflowId}' GROUP BY status`,
    );
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  cutOff(workflowId: string): Array<{ id: string; text: string }> {
    return this.all(
      `SELECT id::text AS id, data AS text FROM execution_entity JOIN execution_data ON "executionId" = id
       WHERE "workflowId" = '${workflowId}' AND status = 'crashed' AND mode <> 'retry'`,
    );
  }

  mentions(workflowId: string, text: string): string[] {
    const rows = this.all<{ line: string }>(
      `SELECT concat_ws(' ', id, status, mode, "startedAt", "stoppedAt") AS line
       FROM execution_entity JOIN execution_data ON "executionId" = id
       WHERE "workflowId" = '${workflowId}' AND data LIKE '%${text}%'`,
    );
    return rows.map(({ line }) => line);
  }

  /** Executions that n8n 2 gave up when their worker was killed: it keeps nothing of them to retry. */
  thrownAway(workflowId: string): number {
    const rows = this.all(
      `SELECT id FROM execution_entity JOIN execution_data ON "executionId" = id
       WHERE "workflowId" = '${workflowId}' AND status = 'error' AND data LIKE '%failed to be processed too many times%'`,
    );
    return rows.length;
  }

  private all<Row>(sql: string): Row[] {
    const { port, user, database } = this.postgres;
    const args = ['-h', LOOPBACK, '-p', String(port), '-U', user, '-d', database, '-At', '-c'];
    const query = `SELECT coalesce(json_agg(row), '[]') FROM (${sql}) AS row`;
    const options = { encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
    return JSON.parse(execFileSync('psql', [...args, query], options));
  }
}
