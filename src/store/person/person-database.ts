import { createPrivateFolder } from '../database/own-file.ts';
import { saidBy, tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { Connection, transactionKeptElsewhere } from '../database/connection.ts';
import { createDatabase } from '../database/create.ts';
import { databaseError, reasonOf, storeError } from '../database/failures.ts';
import { type Copied, copyTables } from '../database/salvage-rows.ts';
import { CHECKED_AT_OPEN, checkPages, fileIdentity, sizeOf } from '../database/health.ts';
import { useLog } from '../database/journal.ts';
import { PresenceLock } from '../database/lock.ts';
import { SIDE_FILES, stampOf } from '../database/paths.ts';
import type { Sqlite } from '../database/sqlite.ts';
import { indexMemories } from '../memory/memories.ts';
import { migrate, schemaState } from '../migrations/migrations.ts';
import type { StoreProblem } from '../rpc.ts';
import { copyEarlierDatabase } from './earlier-database.ts';
import { PERSON_MIGRATIONS } from './migrations.ts';

export interface PersonDatabaseOptions {
  readonly sqlite: Sqlite;
  /** Absolute; made when it is missing. */
  readonly folder: string;
  /** Where an earlier version kept the database, absolute: it is copied from there once. */
  readonly earlierFolder?: string;
  readonly busyTimeoutMs: number;
  readonly report: (problem: StoreProblem) => void;
  /** Called in a transaction of its own after each opening; what it gives is called when that is on disk. */
  readonly enter: (connection: Connection) => () => void;
}

/** Reasons that somebody has to do something about: until then nothing is counted, and no note is found. */
const REFUSALS: ReadonlySet<string> = new Set(['not_openable', 'foreign', 'newer_version']);

/**
 * The database beside those of the workspaces, for what counts over all of them. Opened with its first use. A damaged
 * one is moved aside by a process that has it alone, and begun anew: the workspaces still have their usage.
 */
export class PersonDatabase {
  readonly #options: PersonDatabaseOptions;
  readonly #file: string;
  readonly #lock: PresenceLock;
  #isRefused = false;
  #open: { readonly connection: Connection; readonly identity: string } | undefined;

  constructor(options: PersonDatabaseOptions) {
    this.#options = options;
    this.#file = path.join(options.folder, 'person.db');
    const { sqlite, busyTimeoutMs, report } = options;
    const lock = path.join(options.folder, 'person-lock.db');
    this.#lock = new PresenceLock(sqlite, lock, busyTimeoutMs, report);
  }

  /**
   * Works in one IMMEDIATE transaction. Fails with `store`: nothing is changed then. `kept`: what is written is on disk
   * in a workspace, and taken over from there again; a power loss may take it back here, a crash may not.
   */
  transaction<Result>(work: (connection: Connection) => Result, kept = false): Result {
    try {
      const connection = this.#connection();
      return kept
        ? transactionKeptElsewhere(connection, () => work(connection))
        : connection.transaction(() => work(connection));
    } catch (thrown) {
      const error = databaseError(thrown, this.#file);
      // The next use opens it anew, and sees damage then.
      const reason = reasonOf(error);
      if (reason !== undefined && reason !== 'busy') this.close();
      if (reason !== undefined && REFUSALS.has(reason)) this.#refused(error);
      throw error;
    }
  }

  /** Tells it once, until it can be opened again. */
  #refused(error: unknown): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#options.report({ kind: 'damage_found', ...tells(saidBy(error)) });
  }

  close(): void {
    this.#open?.connection.close();
    this.#open = undefined;
    this.#lock.release();
  }

  #connection(): Connection {
    // Deleted or replaced while it was open: what is written to the old file is lost.
    if (this.#open !== undefined && this.#open.identity !== fileIdentity(this.#file)) this.close();
    if (this.#open !== undefined) return this.#open.connection;
    createPrivateFolder(this.#options.folder);
    try {
      // Processes that start at once: one creates it, the others wait for the lock.
      if (sizeOf(this.#file) < 0 && this.#lock.takeAlone() && sizeOf(this.#file) < 0)
        this.#create();
      this.#lock.share();
      const isEmpty = sizeOf(this.#file) === 0;
      const connection = this.#openOrReplace();
      this.#isRefused = false;
      if (isEmpty) this.#begunAnew();
      this.#open = { connection, identity: fileIdentity(this.#file) };
      connection.transaction(() => this.#options.enter(connection))();
      return connection;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #create(): void {
    if (copyEarlierDatabase(this.#options, this.#file)) return;
    createDatabase(this.#options, this.#file, (made) => migrate(made, PERSON_MIGRATIONS));
  }

  #openOrReplace(): Connection {
    try {
      return this.#openChecked();
    } catch (thrown) {
      if (reasonOf(databaseError(thrown, this.#file)) !== 'damaged') throw thrown;
      const aside = this.#moveAside();
      const connection = this.#openChecked();
      if (aside !== undefined) this.#rescue(aside, connection);
      return connection;
    }
  }

  #openChecked(): Connection {
    const { sqlite, busyTimeoutMs } = this.#options;
    const connection = new Connection(sqlite, this.#file, { busyTimeoutMs });
    try {
      const { behind } = schemaState(connection, PERSON_MIGRATIONS);
      useLog(connection);
      if (behind) migrate(connection, PERSON_MIGRATIONS);
      if (sizeOf(this.#file) <= CHECKED_AT_OPEN) checkPages(connection);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** SQLite takes an empty file for a new database. */
  #begunAnew(): void {
    this.#options.report({
      kind: 'salvaged',
      ...tells(
        told`The database ${this.#file}, which counts usage and budgets over all workspaces, was empty and was begun anew. Notes that were remembered for all workspaces are lost. The usage of a workspace counts again once that workspace is opened; accounts have to be linked again.`,
      ),
    });
  }

  /** Gives where it is now; `undefined`: another process has replaced it already. */
  #moveAside(): string | undefined {
    const before = fileIdentity(this.#file);
    if (!this.#lock.takeAlone()) {
      this.#lock.share();
      if (fileIdentity(this.#file) !== before) return undefined;
      throw storeError(
        'damaged',
        told`The database ${this.#file}, which counts usage and budgets over all workspaces, is damaged, and another window has it open. Nothing was changed; close the other windows, then reload this one.`,
      );
    }
    const aside = `${this.#file}.damaged-${stampOf(Date.now())}`;
    for (const end of ['', ...SIDE_FILES])
      if (sizeOf(this.#file + end) >= 0) renameSync(this.#file + end, aside + end);
    this.#lock.share();
    return aside;
  }

  /** Takes over what nothing else has: the notes that can still be read. */
  #rescue(aside: string, connection: Connection): void {
    const { sqlite, busyTimeoutMs, report } = this.#options;
    const copied: Copied = {
      kept: new Map(),
      damaged: new Set(),
      usedBackup: false,
      written: undefined,
    };
    let source: Connection | undefined;
    try {
      source = new Connection(sqlite, aside, { readOnly: true, busyTimeoutMs });
      const from = source;
      connection.transaction(() => {
        copyTables(from, connection, copied, ['memories']);
        indexMemories(connection);
      });
    } catch {
      // Nothing of it can be read.
    } finally {
      source?.close();
    }
    const notes = copied.kept.get('memories') ?? 0;
    report({
      kind: 'salvaged',
      ...tells(
        told`The database ${this.#file}, which counts usage and budgets over all workspaces, was damaged and was begun anew. Of the notes that were remembered for all workspaces ${notes} were saved. The usage of a workspace counts again once that workspace is opened; accounts have to be linked again. The damaged file is ${aside}.`,
      ),
      movedTo: [aside],
    });
  }
}
