import { saidBy, tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { randomInt } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import type { StoreProblem } from '../rpc.ts';
import type { Connection, JoinedToCommits } from './connection.ts';
import { databaseError, reasonOf, storeError } from './failures.ts';
import type { StorePaths } from './paths.ts';
import { readMarks, renewMark, writeMark, type Written } from './write-mark.ts';

const DATABASE = 'database';
const COUNT = 'commits';
const LOST = 'lost_at';

/** The database's own progress; `undefined`: by no Belay that counted. */
export function writtenIn(connection: Connection): Written | undefined {
  const value = (key: string): number | undefined =>
    connection.get<{ value: number }>('SELECT value FROM meta WHERE key = ?', key)?.value;
  const database = value(DATABASE);
  return database === undefined ? undefined : { database, count: value(COUNT) ?? 0 };
}

/** True when the marks know of transactions that a database does not have. */
export function isBehind(written: Written | undefined, marks: readonly Written[]): boolean {
  return marks.some((mark) => mark.database !== written?.database || mark.count > written.count);
}

/**
 * The loss in a database that opened: SQLite takes a cut or deleted log, or an older copy, for the whole truth. The
 * marks are read first: another process that writes meanwhile is ahead of them.
 */
export function lossOf(connection: Connection, paths: StorePaths): StoreProblem | undefined {
  const marks = readMarks(paths);
  const written = writtenIn(connection);
  if (!isBehind(written, marks)) return undefined;
  const replaced =
    written !== undefined && marks.every(({ database }) => database !== written.database);
  return {
    kind: 'journal_damaged',
    lost: true,
    ...tells(
      replaced
        ? told`The database ${paths.database} is not the one that Belay wrote last: it was replaced, and what was recorded in the other one is not known here.`
        : told`The end of the database’s journal is missing, and with it the last changes before Belay ended. Everything else is kept.`,
      told`Look at the last steps of your newest sessions before you go on with them.`,
    ),
  };
}

/** A new database, or a rescued one, is not the one that the marks are about. */
export function forgetIdentity(connection: Connection): void {
  connection.run('DELETE FROM meta WHERE key = ?', DATABASE);
}

/** True when something was lost since somebody last said that they know. */
export function isLossOpen(connection: Connection): boolean {
  return connection.get('SELECT 1 FROM meta WHERE key = ?', LOST) !== undefined;
}

function noteLoss(connection: Connection, at: number): void {
  connection.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', LOST, Math.round(at));
}

/** The person knows of what was lost. */
export function closeLoss(connection: Connection): void {
  connection.run('DELETE FROM meta WHERE key = ?', LOST);
}

/**
 * Counts a connection's transactions, and checks after each that the files are there: writes to deleted ones end with
 * the process.
 */
export class Progress implements JoinedToCommits {
  readonly #connection: Connection;
  readonly #paths: StorePaths;
  readonly #epoch: number;
  readonly #report: (problem: StoreProblem) => void;
  readonly #files: readonly (readonly [file: string, identity: string])[];
  readonly #database: number;
  #count = 0;
  #gone = false;

  constructor(
    connection: Connection,
    parts: {
      readonly paths: StorePaths;
      readonly epoch: number;
      readonly journalMode: string;
      /** Something is missing: noted until somebody says that they know. Milliseconds since the epoch. */
      readonly lostAt?: number;
      readonly report: (problem: StoreProblem) => void;
    },
  ) {
    this.#connection = connection;
    this.#paths = parts.paths;
    this.#epoch = parts.epoch;
    this.#report = parts.report;
    this.#database = connection.transaction(() => {
      // 48 bits: two databases of one folder are never taken for each other.
      connection.run(
        'INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?), (?, 0)',
        DATABASE,
        randomInt(1, 2 ** 48 - 1),
        COUNT,
      );
      if (parts.lostAt !== undefined) noteLoss(connection, parts.lostAt);
      this.inside();
      return writtenIn(connection)?.database ?? 0;
    });
    const { database } = parts.paths;
    const files = parts.journalMode === 'wal' ? [database, `${database}-wal`] : [database];
    this.#files = files.map((file) => [file, identityOf(file)]);
    const foreign = readMarks(parts.paths).some((mark) => mark.database !== this.#database);
    // Losses that were told once, of which they know and the database does not, are not told again.
    if (foreign || parts.lostAt !== undefined) this.#renew();
    this.after();
  }

  /** Inside a transaction: it is one more. */
  inside(): void {
    const row = this.#connection.get<{ value: number }>(
      'UPDATE meta SET value = value + 1 WHERE key = ? RETURNING value',
      COUNT,
    );
    this.#count = row?.value ?? 0;
  }

  /** After its commit. Fails with `gone` when the database is not in its place any more. */
  after(): void {
    const gone = this.#files.find(([file, identity]) => identityOf(file) !== identity);
    if (gone !== undefined) throw this.#refusal(gone[0]);
    try {
      writeMark(this.#paths, this.#epoch, { database: this.#database, count: this.#count });
    } catch {
      this.#renew();
    }
  }

  #renew(): void {
    try {
      renewMark(this.#paths, this.#epoch, { database: this.#database, count: this.#count });
    } catch (error) {
      // Without a mark a loss could not be noticed; nothing is lost by that.
      if (reasonOf(databaseError(error, this.#paths.mark)) === undefined) throw error;
    }
  }

  end(): void {
    if (this.#gone) this.#leaveMark();
  }

  #refusal(file: string): Error {
    const refusal = storeError(
      'gone',
      told`${file} was deleted or replaced while Belay worked, so nothing is recorded any more and no further step is done. What was done last is known to nobody but you: look at it, then reload the window; without VS Code, start again.`,
    );
    this.#leaveMark();
    if (this.#gone) return refusal;
    this.#gone = true;
    this.#report({ kind: 'database_gone', lost: true, ...tells(saidBy(refusal)) });
    return refusal;
  }

  /**
   * Leaves the mark each time, and at the end once more, so that a later start does not take the database for a new
   * one: whoever deletes a folder may still be at it.
   */
  #leaveMark(): void {
    const written = { database: this.#database, count: this.#count };
    try {
      mkdirSync(this.#paths.folder, { recursive: true });
      if (readMarks(this.#paths).length === 0) this.#renew();
      else writeMark(this.#paths, this.#epoch, written);
    } catch {
      // The place itself is gone; then only the sentence is left.
    }
  }
}

/** Tells files of the same name apart. */
function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`;
}
