import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Looks into the database of an n8n that runs, where its API would answer too little or too slowly. */
export class HostDatabase {
  private readonly file: string;

  constructor(userFolder: string) {
    this.file = join(userFolder, '.n8n', 'database.sqlite');
  }

  /** What a trigger node of ours keeps of its endpoint. */
  endpoint(workflowId: string, node: string): { id: string; secret: string } {
    const [row] = this.all('SELECT staticData FROM workflow_entity WHERE id = ?', workflowId);
    const { id, secret } = JSON.parse(String(row?.staticData))[`node:${node}`].endpoint;
    return { id: String(id), secret: String(secret) };
  }

  /** How many executions a workflow has, by their status. */
  executions(workflowId: string): Map<string, number> {
    const rows = this.all(
      'SELECT status, count(*) AS count FROM execution_entity WHERE workflowId = ? GROUP BY status',
      workflowId,
    );
    return new Map(rows.map(({ status, count }) => [String(status), Number(count)]));
  }

  /** Seconds from the start of the first to the end of the last of a workflow's newest executions. */
  secondsOf(workflowId: string, count: number): number {
    const [row] = this.all(
      `SELECT (julianday(max(stoppedAt)) - julianday(min(startedAt))) * 86400 AS seconds FROM
       (SELECT startedAt, stoppedAt FROM execution_entity WHERE workflowId = ? ORDER BY id DESC LIMIT ${count})`,
      workflowId,
    );
    return Number(row?.seconds);
  }

  /** Executions of a workflow that a kill cut off, with what they hold as text. */
  cutOff(workflowId: string): Array<{ id: string; text: string }> {
    const rows = this.all(
      `SELECT id, data FROM execution_entity JOIN execution_data ON executionId = id
       WHERE workflowId = ? AND status = 'crashed' AND mode <> 'retry'`,
      workflowId,
    );
    return rows.map(({ id, data }) => ({ id: String(id), text: String(data) }));
  }

  /** Executions of a workflow that hold a text, each in a line: its ID, status, mode, and when it began and ended. */
  mentions(workflowId: string, text: string): string[] {
    const rows = this.all(
      `SELECT concat_ws(' ', id, status, mode, startedAt, stoppedAt) AS line
       FROM execution_entity JOIN execution_data ON executionId = id WHERE workflowId = ? AND data LIKE ?`,
      workflowId,
      `%${text}%`,
    );
    return rows.map(({ line }) => String(line));
  }

  /** Fills up what n8n remembers of the events of a workflow's trigger. */
  fillEntries(workflowId: string, count: number): void {
    const data = Array.from({ length: count }, (_, index) =>
      createHash('md5').update(`old ${index}`).digest('base64'),
    );
    this.all(
      'UPDATE processed_data SET value = ? WHERE workflowId = ?',
      JSON.stringify({ mode: 'entries', data }),
      workflowId,
    );
  }

  /** How many entries n8n remembers of the events of a workflow's trigger. */
  entries(workflowId: string): number {
    const [row] = this.all('SELECT value FROM processed_data WHERE workflowId = ?', workflowId);
    return row === undefined ? 0 : JSON.parse(String(row.value)).data.length;
  }

  private all(sql: string, ...values: string[]): Record<string, unknown>[] {
    const database = new DatabaseSync(this.file, { timeout: 10_000 });
    try {
      return database.prepare(sql).all(...values);
    } finally {
      database.close();
    }
  }
}
