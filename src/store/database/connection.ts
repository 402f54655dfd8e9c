import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { makePrivate } from './own-file.ts';
import type { Sqlite } from './sqlite.ts';

/** A statement's bound value. */
export type Value = SQLInputValue;

export interface ConnectionOptions {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for another process. */
  readonly busyTimeoutMs: number;
  /** SQLite's locking (`unix-dotfile` where file locks do not work); absent: the system's. */
  readonly vfs?: string;
}

/** Runs with every transaction of a connection. */
export interface JoinedToCommits {
  /** The last thing inside it. */
  inside(): void;
  /** It is on disk. Whoever waits for it is answered afterwards; what is thrown is the answer. */
  after(): void;
}

/** One connection with its prepared statements, keyed by their text. */
export class Connection {
  readonly file: string;
  joined: JoinedToCommits | undefined;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(sqlite: Sqlite, file: string, options: ConnectionOptions) {
    this.file = file;
    if (options.readOnly !== true) makePrivate(file);
    this.#database = new sqlite.DatabaseSync(locationOf(file, options.vfs), {
      readOnly: options.readOnly ?? false,
      timeout: options.busyTimeoutMs,
      enableForeignKeyConstraints: true,
    });
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs one statement; gives the number of rows it changed. */
  run(sql: string, ...values: readonly Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** The first row. `Row` is the caller's promise about the columns it selected. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one cast for all callers
  get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Rows one by one; a statement of its own, so that others may run meanwhile. */
  *iterate<Row>(sql: string, ...values: readonly Value[]): Generator<Row, void> {
    for (const row of this.#database.prepare(sql).iterate(...values)) yield row as Row;
  }

  /** All or nothing: what `work` throws rolls back and is thrown again. */
  transaction<Result>(work: () => Result): Result {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Ends the transaction that is open; when it returns, everything is on disk. */
  commit(): void {
    this.joined?.inside();
    this.exec('COMMIT');
    this.joined?.after();
  }

  /** Ends the transaction if one is open (some errors of SQLite have ended it already). */
  rollback(): void {
    if (!this.#database.isTransaction) return;
    try {
      this.exec('ROLLBACK');
    } catch {
      // SQLite rolled back by itself between the question and the answer.
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/**
 * A transaction of what can be made again from elsewhere: it is not waited for the disk, and a power loss may undo it.
 * Without a write-ahead log as every other one: a power loss could damage the database then.
 */
export function transactionKeptElsewhere<Result>(
  connection: Connection,
  work: () => Result,
): Result {
  const { journal_mode: journal } = one<{ journal_mode: string }>(
    connection,
    'PRAGMA journal_mode',
  );
  if (journal !== 'wal') return connection.transaction(work);
  connection.exec('PRAGMA synchronous = NORMAL');
  try {
    return connection.transaction(work);
  } finally {
    connection.exec('PRAGMA synchronous = FULL');
  }
}

/** The row of a statement that always gives one: a count, a sum, what was inserted. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the one cast for all callers
export function one<Row>(connection: Connection, sql: string, ...values: readonly Value[]): Row {
  const row = connection.get<Row>(sql, ...values);
  if (row === undefined) throw new Error(`No row: ${sql}`);
  return row;
}

/** SQLite takes options only in a `file:` address. */
function locationOf(file: string, vfs: string | undefined): string {
  if (vfs === undefined) return file;
  const address = file
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return `file://${address.startsWith('/') ? '' : '/'}${address}?vfs=${vfs}`;
}
