import { saidBy, tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Connection } from '../database/connection.ts';
import { reasonOf, storeError } from '../database/failures.ts';
import { BACKUP_EVERY, CHECK_EVERY } from '../database/health.ts';
import { openDatabase, reopen, rescue, type OpenDatabase } from '../database/open.ts';
import { type DatabaseOptions } from '../database/database-options.ts';
import { backupsIn } from '../database/backup.ts';
import { loadSqlite, type Sqlite } from '../database/sqlite.ts';
import { storePaths } from '../database/paths.ts';
import { findLoss, isLossOpen, Progress } from '../database/progress.ts';
import type { OpenReport, OpenRequest, StoreProblem } from '../rpc.ts';
import { PersonStore } from '../person/person-store.ts';
import { unindexed } from './search-index.ts';
import { LeaseWatch } from './runs/leases.ts';
import { enter, leave, markUnknown } from './presence.ts';

/** The open database and everything that goes with it; lives in the worker. */
export class Engine {
  readonly watch = new LeaseWatch();
  readonly #report: (problem: StoreProblem) => void;
  #options: DatabaseOptions | undefined;
  #paths = storePaths('');
  #database: OpenDatabase | undefined;
  #progress: Progress | undefined;
  #person: PersonStore | undefined;
  /** The user's folder, for a second mark of the database. */
  #outside: string | undefined;
  #epoch = 0;
  /** Something was found missing since the database was opened last, which is not noted in it yet. */
  #lost = false;

  constructor(report: (problem: StoreProblem) => void) {
    this.#report = (problem) => {
      this.#lost ||= problem.lost === true;
      report(problem);
    };
  }

  /** Fails with `store` while the database is not open. */
  get connection(): Connection {
    if (this.#database === undefined) {
      throw storeError('closed', told`The store is closed. Reload the window to open it again.`);
    }
    return this.#database.connection;
  }

  /** Fails with `store` while the database is not open. */
  get person(): PersonStore {
    if (this.#person === undefined) {
      throw storeError('closed', told`The store is closed. Reload the window to open it again.`);
    }
    return this.#person;
  }

  get file(): string {
    return this.#paths.database;
  }

  async open(request: OpenRequest): Promise<OpenReport> {
    const sqlite: Sqlite = loadSqlite();
    this.#paths = storePaths(request.folder);
    this.#options = {
      sqlite,
      folder: request.folder,
      busyTimeoutMs: request.busyTimeoutMs,
      at: request.at,
      ...(request.vfs === undefined ? {} : { vfs: request.vfs }),
      report: this.#report,
    };
    const database = await openDatabase(this.#options);
    this.#database = database;
    this.#person = new PersonStore({
      ...(request.person ?? { folder: request.folder, name: '' }),
      sqlite,
      busyTimeoutMs: request.busyTimeoutMs,
      report: this.#report,
      workspace: () => this.connection,
    });
    const { connection } = database;
    this.#outside = request.person?.folder;
    await this.#tellLoss(database);
    const entry = await enter(connection, request.at, request.epoch);
    this.#epoch = entry.epoch;
    this.#follow(database, request.at);
    await markUnknown(connection, this.watch);
    return {
      epoch: this.#epoch,
      file: database.paths.database,
      journalMode: database.journalMode,
      checkDue:
        !database.checked && (entry.unclean || this.#isDue('checked_at', CHECK_EVERY, request.at)),
      backupDue: this.#isDue('backed_up_at', BACKUP_EVERY, request.at),
      indexDue: unindexed(connection) > 0,
      lost: isLossOpen(connection),
    };
  }

  /** Rescues a database damaged in use; goes on with sound parts beside another window. */
  async recover(at: number, evidence: string): Promise<void> {
    const options = this.#options;
    const damaged = this.#database;
    if (options === undefined || damaged === undefined) return;
    damaged.connection.close();
    this.#database = undefined;
    const database = await rescue({ ...options, at }, damaged.paths, damaged.lock, evidence).catch(
      (error: unknown) => {
        if (reasonOf(error) !== 'damaged') throw error;
        this.#report({ kind: 'damage_found', ...tells(saidBy(error)) });
        return reopen(options, damaged.paths, damaged.lock);
      },
    );
    this.#database = database;
    await enter(database.connection, at, this.#epoch);
    this.#follow(database, at);
  }

  async #tellLoss(database: OpenDatabase): Promise<void> {
    if (this.#lost) return;
    const loss = await findLoss(database.connection, database.paths, this.#outside);
    if (loss !== undefined) this.#report(loss);
  }

  /** From now on it is noted how far the database is written. */
  #follow(database: OpenDatabase, at: number): void {
    this.#progress = new Progress(database.connection, {
      paths: database.paths,
      outside: this.#outside,
      epoch: this.#epoch,
      journalMode: database.journalMode,
      report: this.#report,
      ...(this.#lost ? { lostAt: at } : {}),
    });
    database.connection.joined = this.#progress;
    this.#lost = false;
  }

  /** Remembers what the maintenance thread has done. */
  maintained(done: { readonly checkedAt?: number; readonly backedUpAt?: number }): void {
    if (done.checkedAt !== undefined) this.#setMeta('checked_at', done.checkedAt);
    if (done.backedUpAt !== undefined) this.#setMeta('backed_up_at', done.backedUpAt);
  }

  close(): void {
    const database = this.#database;
    this.#database = undefined;
    if (database === undefined) return;
    this.#person?.close();
    this.#person = undefined;
    try {
      leave(database.connection, this.#epoch);
    } catch {
      // The next open finds the entry of a dead process and looks closer; nothing else depends on it.
    } finally {
      database.connection.close();
      database.lock.release();
      this.#progress?.end();
    }
  }

  /** Counted in both directions: the clock may have been wrong when it was noted. */
  #isDue(key: string, everyMs: number, at: number): boolean {
    const last = this.connection.get<{ value: number }>(
      'SELECT value FROM meta WHERE key = ?',
      key,
    );
    if (key === 'backed_up_at' && backupsIn(this.#paths).length === 0) return true;
    return last === undefined || Math.abs(at - last.value) >= everyMs;
  }

  #setMeta(key: string, value: number): void {
    this.connection.run(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      Math.round(value),
    );
  }
}
