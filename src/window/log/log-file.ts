import { constants } from 'node:fs';
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';

/** A pipe in the file's place is an error, not a wait for somebody who reads it. */
const APPEND =
  constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);

/** Bytes after which the file is kept as `.1` and a new one begun: two files at most. */
const LIMIT = 5 * 1024 * 1024;

/** A log file. Lines are written in order, in the background; a full disk never disturbs anyone. */
export class LogFile {
  readonly path: string;
  readonly #limit: number;
  #waiting: string[] = [];
  #work: Promise<void> = Promise.resolve();
  #size: number | undefined;

  constructor(file: string, limit = LIMIT) {
    this.path = file;
    this.#limit = limit;
  }

  append(line: string): void {
    this.#waiting.push(line);
    if (this.#waiting.length === 1) this.#work = this.#work.then(() => this.#write());
  }

  /** Resolves when every line given before is written. */
  flush(): Promise<void> {
    return this.#work;
  }

  async #write(): Promise<void> {
    const text = `${this.#waiting.join('\n')}\n`;
    this.#waiting = [];
    try {
      if (this.#size === undefined) {
        await mkdir(path.dirname(this.path), { recursive: true, mode: 0o700 });
        this.#size = (await stat(this.path).catch(() => undefined))?.size ?? 0;
      }
      if (this.#size > this.#limit) {
        await rename(this.path, `${this.path}.1`);
        this.#size = 0;
      }
      await appendFile(this.path, text, { mode: 0o600, flag: APPEND });
      this.#size += Buffer.byteLength(text);
    } catch {
      // There is no place left to complain to; the output channel still has the line.
      this.#size = undefined;
    }
  }
}
