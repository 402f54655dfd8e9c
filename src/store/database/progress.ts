import { saidBy, tells } from '../../domain/failure.ts';
import { type Told, told } from '../../domain/text/told.ts';
import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { QUEUE_PAUSED_KEY } from '../../domain/session/session-values.ts';
import { identityAtOnce } from '../process-identity.ts';
import type { StoreProblem } from '../rpc.ts';
import type { Connection, JoinedToCommits } from './connection.ts';
import { databaseError, reasonOf, storeError } from './failures.ts';
import type { StorePaths } from './paths.ts';
import {
  type Mark,
  outerMark,
  readMarks,
  renewMark,
  syncMark,
  writeMark,
  type Written,
} from './write-mark.ts';

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
 * Finds the loss in a database that opened: SQLite takes a cut or deleted log, or an older copy, for the whole truth.
 * @param outside the user's folder
 */
export async function findLoss(
  connection: Connection,
  paths: StorePaths,
  outside?: string,
): Promise<StoreProblem | undefined> {
  const said = await sayLoss(connection, paths, outside);
  if (said === undefined) return undefined;
  const advice = told`Look at the last steps of your newest sessions before you go on with them.`;
  return { kind: 'journal_damaged', lost: true, ...tells(said, advice) };
}

async function sayLoss(
  connection: Connection,
  paths: StorePaths,
  outside: string | undefined,
): Promise<Told | undefined> {
  // The marks are read before the count: another process that writes in the meantime is ahead of them.
  const marks = readMarks(paths);
  const { database } = writtenIn(connection) ?? {};
  const outer =
    outside === undefined || database === undefined ? [] : readMarks(outerMark(outside, database));
  const written = writtenIn(connection);
  if (isBehind(written, marks))
    return written !== undefined && marks.every((mark) => mark.database !== written.database)
      ? told`The database ${paths.database} is not the one that Belay wrote last: it was replaced, and what was recorded in the other one is not known here.`
      : told`The end of the database’s journal is missing, and with it the last changes before Belay ended. Everything else is kept.`;
  if (isBehind(written, outer))
    return told`The database ${paths.database} is an earlier copy. Belay wrote more to it after that copy was made, and those changes are not known here.`;
  // A Belay that kept no count wrote no mark.
  if (written === undefined || !(await isMarkOld(connection, written, paths))) return undefined;
  return told`${paths.mark}, which says how far the database was written, is missing, unreadable or older than the database, so the last changes before Belay ended may be missing.`;
}

/**
 * True when the mark cannot be the one that was written with the database: each process that did not close it may have
 * died before it marked its last transaction, and a restart of the machine may have lost more of the mark.
 */
async function isMarkOld(
  connection: Connection,
  written: Written,
  paths: StorePaths,
): Promise<boolean> {
  const openers = connection.all<{ boot_id: string }>('SELECT boot_id FROM openers');
  const { bootId } = await identityAtOnce();
  const counts = readMarks(paths).map(({ count }) => count);
  if (counts.length === 0) return true;
  if (openers.some((opener) => opener.boot_id !== bootId)) return false;
  return Math.max(...counts) + openers.length < written.count;
}

/** Gives a new database its identity, and its mark before it is there: a database without a mark was stripped of it. */
export function beginIdentity(connection: Connection, paths: StorePaths): void {
  connection.transaction(() => insertIdentity(connection));
  renewMark(paths, 0, { database: writtenIn(connection)?.database ?? 0, count: 0 });
}

function insertIdentity(connection: Connection): void {
  // 48 bits: two databases of one folder are never taken for each other.
  connection.run(
    'INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?), (?, 0)',
    DATABASE,
    randomInt(1, 2 ** 48 - 1),
    COUNT,
  );
}

/** A new database, or a rescued one, is not the one that the marks are about. */
export function forgetIdentity(connection: Connection): void {
  connection.run('DELETE FROM meta WHERE key = ?', DATABASE);
}

/** True when something was lost since somebody last said that they know. */
export function isLossOpen(connection: Connection): boolean {
  return connection.get('SELECT 1 FROM meta WHERE key = ?', LOST) !== undefined;
}

/** Also holds what would start by itself: unfinished runs, queued messages and follow-ups wait for the user's next message. */
function noteLoss(connection: Connection, at: number): void {
  connection.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', LOST, Math.round(at));
  connection.run(
    `INSERT OR IGNORE INTO key_values (session_id, key, value) SELECT session_id, ?, 'true' FROM (
       SELECT session_id FROM queued UNION SELECT session_id FROM followups
       UNION SELECT session_id FROM runs WHERE state IN ('running', 'waiting_on_human'))`,
    QUEUE_PAUSED_KEY,
  );
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
  readonly #marks: readonly Mark[];
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
      /** The user's folder, for a second mark. Absent: there is none. */
      readonly outside?: string | undefined;
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
      insertIdentity(connection);
      if (parts.lostAt !== undefined) noteLoss(connection, parts.lostAt);
      this.inside();
      return writtenIn(connection)?.database ?? 0;
    });
    const { paths, outside } = parts;
    this.#marks = outside === undefined ? [paths] : [paths, outerMark(outside, this.#database)];
    const { database } = paths;
    const files = parts.journalMode === 'wal' ? [database, `${database}-wal`] : [database];
    this.#files = files.map((file) => [file, identityOf(file)]);
    const foreign = readMarks(parts.paths).some((mark) => mark.database !== this.#database);
    // Losses that were told once, of which they know and the database does not, are not told again.
    if (foreign || parts.lostAt !== undefined) for (const mark of this.#marks) this.#renew(mark);
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
    for (const mark of this.#marks) {
      try {
        writeMark(mark, this.#epoch, { database: this.#database, count: this.#count });
      } catch {
        this.#renew(mark);
      }
    }
  }

  #renew(mark: Mark): void {
    try {
      renewMark(mark, this.#epoch, { database: this.#database, count: this.#count });
    } catch (error) {
      // The next start holds what is unfinished; nothing is lost by that.
      if (reasonOf(databaseError(error, mark.mark)) === undefined) throw error;
    }
  }

  /** The database is closed: with its mark on disk, a power loss does not make that look older. */
  end(): void {
    if (this.#gone) this.#leaveMark();
    else for (const mark of this.#marks) syncMark(mark);
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
      if (readMarks(this.#paths).length === 0) this.#renew(this.#paths);
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
