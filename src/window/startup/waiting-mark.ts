import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** One empty file for each process that has Belay open, or left something that waits. */
const FOLDER = 'waiting';

/**
 * True when something may wait for Belay: a run that was left behind, a queue, a follow-up, pending changes. Asked at the
 * start of VS Code, so this reads one folder and nothing else. What cannot be read is looked at more closely.
 * @param data the folder of the database
 */
export function mayWait(data: string): boolean {
  try {
    return readdirSync(path.join(data, FOLDER)).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * The mark of this process: set before the database is opened, taken back when it is closed and nothing
 * waits. Whatever ends the process otherwise leaves it standing, so a crash needs nobody to write anything.
 */
export class WaitingMark {
  readonly #folder: string;
  readonly #own = `${process.pid}`;

  constructor(data: string) {
    this.#folder = path.join(data, FOLDER);
  }

  /** Never throws: without the mark, what waits is seen when the panel is opened. */
  set(): void {
    try {
      mkdirSync(path.dirname(this.#folder), { recursive: true, mode: 0o700 });
      try {
        mkdirSync(this.#folder, { recursive: true });
        writeFileSync(path.join(this.#folder, this.#own), '', { flag: 'wx' });
      } catch (error) {
        if (this.#stands(error)) return;
        // Something else has its place; it is nothing of the person's.
        renameSync(this.#folder, `${this.#folder}.found-${Date.now()}`);
        mkdirSync(this.#folder);
        writeFileSync(path.join(this.#folder, this.#own), '');
      }
    } catch {
      // see above
    }
  }

  /** Takes back the marks of processes that are gone: what they left is known by now. */
  takeOver(): void {
    for (const name of namesIn(this.#folder)) {
      if (name !== this.#own && !isAlive(Number(name)))
        rmSync(path.join(this.#folder, name), { recursive: true, force: true });
    }
  }

  /** Nothing waits. */
  clear(): void {
    rmSync(path.join(this.#folder, this.#own), { recursive: true, force: true });
  }

  /** A process of the same number left a mark before. */
  #stands(error: unknown): boolean {
    return (
      (error as NodeJS.ErrnoException).code === 'EEXIST' &&
      namesIn(this.#folder).includes(this.#own)
    );
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
