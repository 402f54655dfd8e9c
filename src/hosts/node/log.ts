import {
  appendFileSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { maskEntry } from '../../core/secrets/log-masking.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { JsonObject } from '../../domain/data/json.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 };
/** Bytes of a log file before the next one begins. */
const LARGEST = 5 * 1024 * 1024;
/** Older files kept beside the present one. */
const KEPT = 3;

/** A pipe in the file's place is an error, not a wait for somebody who reads it. */
const APPEND =
  constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);

export interface FileLogParts {
  /** Absolute path of the present file; older ones are called `FILE.1`, `.2`, `.3`. */
  readonly file: string;
  readonly clock: Clock;
  /** Asked at each entry. */
  readonly level: () => LogLevel;
  /** Secrets known at the moment, masked wherever they occur. */
  readonly secrets?: () => Iterable<string>;
}

/** A log in a file (E9): one entry a line, secrets masked, never more than 20 MB. It never throws. */
export class FileLog implements Log {
  readonly #parts: FileLogParts;
  #waiting = '';
  #writing: Promise<void> | undefined;
  #size = 0;

  constructor(parts: FileLogParts) {
    this.#parts = parts;
    try {
      mkdirSync(path.dirname(parts.file), { recursive: true, mode: 0o700 });
      this.#size = statSync(parts.file, { throwIfNoEntry: false })?.size ?? 0;
    } catch {
      // A log that cannot be written must not keep anybody from working.
    }
  }

  debug(message: string, details?: JsonObject): void {
    this.#add('debug', message, details === undefined ? '' : JSON.stringify(details));
  }

  info(message: string, details?: JsonObject): void {
    this.#add('info', message, details === undefined ? '' : JSON.stringify(details));
  }

  warn(message: string, details?: JsonObject): void {
    this.#add('warn', message, details === undefined ? '' : JSON.stringify(details));
  }

  error(message: string, thrown?: unknown): void {
    this.#add('error', message, thrown === undefined ? '' : stackOf(thrown));
  }

  /** Resolves when everything logged so far is in the file. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Writes what is left at once; for the end of the process. */
  dispose(): void {
    const rest = this.#waiting;
    this.#waiting = '';
    try {
      if (rest === '') return;
      const descriptor = openSync(this.#parts.file, APPEND);
      try {
        appendFileSync(descriptor, rest);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // see the constructor
    }
  }

  #add(level: LogLevel, message: string, more: string): void {
    if (RANK[level] > RANK[this.#parts.level()]) return;
    const text = maskEntry(more === '' ? message : `${message} ${more}`, this.#parts.secrets?.());
    const time = new Date(this.#parts.clock.now()).toISOString();
    this.#waiting += `${time} [${level}] ${text.replaceAll('\n', '\n    ')}\n`;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    await Promise.resolve(); // entries of the same moment go together
    try {
      while (this.#waiting !== '') {
        const batch = this.#waiting;
        this.#waiting = '';
        this.#rotate();
        await appendFile(this.#parts.file, batch, { flag: APPEND });
        this.#size += Buffer.byteLength(batch);
      }
    } catch {
      // see the constructor
    } finally {
      this.#writing = undefined;
    }
  }

  #rotate(): void {
    if (this.#size < LARGEST) return;
    const { file } = this.#parts;
    for (let number = KEPT - 1; number >= 0; number -= 1) {
      const from = number === 0 ? file : `${file}.${number}`;
      if (statSync(from, { throwIfNoEntry: false }) !== undefined)
        renameSync(from, `${file}.${number + 1}`);
    }
    this.#size = 0;
  }
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? '' : `\nCaused by: ${stackOf(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}
