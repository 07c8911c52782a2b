import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { SCHEMA } from './schema';

/** A row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;
type Parameters = Record<string, SQLInputValue>;

/** One SQLite database, in memory or in a file. Statements are prepared once. */
export class Database {
  private connection: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  readonly isInMemory: boolean;

  /** @param file Path of the database file, which is made when missing; without it, memory. */
  constructor(file?: string) {
    this.isInMemory = file === undefined;
    this.connection = new DatabaseSync(file ?? ':memory:');
    // A write that was answered survives the end of the process; only a power cut may lose the newest ones.
    this.connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    this.connection.exec(SCHEMA);
  }

  all<T extends Row>(sql: string, parameters: Parameters = {}): T[] {
    return this.prepared(sql).all(parameters) as T[];
  }

  get<T extends Row>(sql: string, parameters: Parameters = {}): T | undefined {
    return this.prepared(sql).get(parameters) as T | undefined;
  }

  /** @returns The number of rows that changed. */
  run(sql: string, parameters: Parameters = {}): number {
    return Number(this.prepared(sql).run(parameters).changes);
  }

  /** Adds a row. @returns The number that the table has given it, if it numbers its rows. */
  insert(table: string, row: Parameters): number {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (:${columns.join(', :')})`;
    return Number(this.prepared(sql).run(row).lastInsertRowid);
  }

  /** Changes columns of the row with this ID. */
  update(table: string, id: string, changes: Parameters): void {
    const columns = Object.keys(changes).map((column) => `${column} = :${column}`);
    this.run(`UPDATE ${table} SET ${columns.join(', ')} WHERE id = :id`, { ...changes, id });
  }

  /** The records of the rows that are found: what the column `record` holds as JSON. */
  records<T>(sql: string, parameters: Parameters = {}): T[] {
    return this.all<{ record: string }>(sql, parameters).map(({ record }) => JSON.parse(record));
  }

  /** Runs the work whole or, when it throws, not at all. */
  transaction<T>(work: () => T): T {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.connection.exec('COMMIT');
      return result;
    } catch (reason) {
      this.connection.exec('ROLLBACK');
      throw reason;
    }
  }

  /** Removes all rows, so that numbers begin anew; the table `meta` is the sandbox's own. */
  clear(): void {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'meta'";
    for (const { name } of this.all<{ name: string }>(sql)) this.run(`DELETE FROM ${name}`);
  }

  /** A copy of everything, the sandbox's own table included. */
  snapshot(): Uint8Array {
    return this.connection.serialize();
  }

  /** Takes the place of a database in memory by a copy. */
  restore(copy: Uint8Array): void {
    this.close();
    this.statements.clear();
    // A connection of its own: Node.js 24 crashes later when one that has prepared statements takes a copy in.
    this.connection = new DatabaseSync(':memory:');
    this.connection.deserialize(copy);
  }

  close(): void {
    this.connection.close();
  }

  private prepared(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = this.connection.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}
