import { Connection } from './connection.ts';
import { reasonOf, databaseError } from './failures.ts';
import type { Sqlite } from './sqlite.ts';

/** Others that are about to give way need a moment; a window that works does not give way. Milliseconds. */
const WAIT_ALONE = 300;

/**
 * Says who has the database open, through a lock of the operating system that ends with its
 * process, however it ends. SQLite takes it on an empty file of its own, the same way everywhere.
 */
export class PresenceLock {
  readonly #sqlite: Sqlite;
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  #connection: Connection | undefined;

  constructor(sqlite: Sqlite, file: string, busyTimeoutMs: number) {
    this.#sqlite = sqlite;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /** Present, beside others. Waits while somebody replaces the database. */
  share(): void {
    this.#hold(this.#busyTimeoutMs, 'BEGIN', 'SELECT count(*) FROM sqlite_schema');
  }

  /** Alone; `false` when another process has the database open. Gives up the shared lock first. */
  takeAlone(): boolean {
    try {
      this.#hold(WAIT_ALONE, 'BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (reasonOf(error) === 'busy') return false;
      throw error;
    }
  }

  release(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #hold(busyTimeoutMs: number, ...statements: readonly string[]): void {
    this.release();
    try {
      const connection = new Connection(this.#sqlite, this.#file, {
        busyTimeoutMs,
      });
      this.#connection = connection;
      for (const statement of statements) connection.exec(statement);
    } catch (error) {
      this.release();
      throw databaseError(error, this.#file);
    }
  }
}
