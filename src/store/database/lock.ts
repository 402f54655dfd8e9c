import { told } from '../../domain/text/told.ts';
import { tells } from '../../domain/failure.ts';
import { copyFileSync, lstatSync, truncateSync } from 'node:fs';
import type { StoreProblem } from '../rpc.ts';
import { Connection } from './connection.ts';
import { reasonOf, databaseError } from './failures.ts';
import { clearPlace } from './own-file.ts';
import { stampOf } from './paths.ts';
import type { Sqlite } from './sqlite.ts';

/** Others that are about to give way need a moment; a window that works does not give way. Milliseconds. */
const WAIT_ALONE = 300;

/** Tells who has the database open, by a lock of the system that SQLite takes on an empty file. */
export class PresenceLock {
  readonly #sqlite: Sqlite;
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #report: (problem: StoreProblem) => void;
  #connection: Connection | undefined;

  constructor(
    sqlite: Sqlite,
    file: string,
    busyTimeoutMs: number,
    report: (problem: StoreProblem) => void,
  ) {
    this.#sqlite = sqlite;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#report = report;
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
      this.#empty();
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

  /** Copies and empties a lock file with content: damage, or not Belay's. */
  #empty(): void {
    let kept = clearPlace(this.#file);
    const size = lstatSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0) {
      kept = `${this.#file}.found-${stampOf(Date.now())}`;
      copyFileSync(this.#file, kept);
      truncateSync(this.#file, 0);
    }
    for (const end of ['-wal', '-shm', '-journal']) kept = clearPlace(this.#file + end) ?? kept;
    if (kept === undefined) return;
    this.#report({
      kind: 'rebuilt',
      ...tells(
        told`${this.#file} was not what Belay had made, and was made anew. It holds nothing of yours; what was there is ${kept}.`,
      ),
      movedTo: [kept],
    });
  }
}
