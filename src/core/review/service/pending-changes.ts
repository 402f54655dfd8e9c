import { fault } from '../../../domain/failure.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import { told } from '../../../domain/text/told.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { FileReview } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import type { PendingTable } from '../storage/pending-table.ts';
import { LaterSaves, SAVE_AFTER } from './later-saves.ts';
import { Turns } from './turns.ts';

/** Times that a change is made anew because another process was faster. */
const MAX_ATTEMPTS = 5;

interface Parts {
  readonly table: PendingTable;
  readonly clock: Clock;
  readonly log: Log;
  /** False where another process stores what other hands make of the files: this one only shows it. */
  readonly stores?: () => boolean;
}

/** The rows of all files with pending changes, in memory and in the store. */
export class PendingChanges implements Disposable {
  readonly #parts: Parts;
  readonly #rows = new Map<string, FileReview>();
  readonly #signal = new Listeners<string>();
  readonly #later: LaterSaves;
  /** By path: stores of one row go one after the other. */
  readonly #turns = new Turns();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#later = new LaterSaves(parts.clock, (path) => this.#saveDone(path));
  }

  /** Rows with something pending; the one that changed last is the last. */
  get all(): readonly FileReview[] {
    return [...this.#rows.values()];
  }

  get(path: string): FileReview | undefined {
    return this.#rows.get(path);
  }

  /**
   * Makes a row another one and resolves when that is stored: only then may the file change, so that no crash leaves a
   * change without its way back. When it fails, the row is what it was.
   * @param make is called anew when another process was faster
   * @throws BelayError `busy` when another process was faster each time, or what the store fails with
   */
  async change(
    path: string,
    make: (row: FileReview | undefined) => FileReview,
  ): Promise<FileReview> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = this.#rows.get(path);
      const after = make(before);
      this.#set(path, after);
      try {
        if (await this.#save(after.path)) {
          if (path !== after.path) await this.#saveDone(path);
          return after;
        }
      } catch (thrown) {
        if (isSettled(after) || this.#rows.get(after.path) === after) this.#set(after.path, before);
        throw thrown;
      }
      this.#set(after.path, before);
      for (const one of new Set([path, after.path])) await this.adopt(one);
    }
    throw fault(
      'busy',
      told`The pending changes of ${path} were changed by another process in this very moment. Look at them and decide again.`,
    );
  }

  /** Makes a row another one that the file is already; it is stored in a moment. */
  update(path: string, next: FileReview): void {
    this.#set(path, next);
    if (this.#parts.stores?.() === false) return;
    for (const one of new Set([path, next.path])) this.#later.soon(one, SAVE_AFTER);
  }

  /** As `update`, and resolves when it is stored, or is known to be stored later. */
  async settle(path: string, next: FileReview): Promise<void> {
    this.#set(path, next);
    for (const one of new Set([next.path, path])) await this.#saveDone(one);
  }

  /** Takes over the stored row of a file. */
  async adopt(path: string): Promise<void> {
    this.#later.cancel(path);
    const row = await this.#turns.take(path, () => this.#parts.table.read(path));
    this.#set(path, row);
  }

  /** Makes a row known that is stored already. */
  add(row: FileReview): void {
    this.#set(row.path, row);
  }

  /** Reports the path of every row that becomes another one. */
  onChange(listener: (path: string) => void): Disposable {
    return this.#signal.listen(listener);
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#later.running, ...this.#later.due.map((path) => this.#save(path))]);
  }

  /** Rows that are not stored yet are lost: `flush` first. */
  dispose(): void {
    this.#later.dispose();
    this.#signal.dispose();
  }

  #set(path: string, row: FileReview | undefined): void {
    const now = row?.path ?? path;
    this.#rows.delete(path);
    this.#rows.delete(now);
    if (row !== undefined && !isSettled(row)) this.#rows.set(now, row);
    for (const one of new Set([path, now])) this.#signal.fire(one);
  }

  /** @returns false: another process has changed the row */
  async #save(path: string): Promise<boolean> {
    return this.#turns.take(path, () => {
      this.#later.cancel(path);
      return this.#parts.table.save(path, this.#rows.get(path));
    });
  }

  /** Stores what the file is already. Where another process was faster, that one's row counts. */
  async #saveDone(path: string): Promise<void> {
    try {
      if (!(await this.#save(path))) await this.adopt(path);
    } catch (thrown) {
      this.#parts.log.error(`Pending changes of ${path} could not be stored yet.`, thrown);
      this.#later.soon(path, SAVE_AFTER);
    }
  }
}
