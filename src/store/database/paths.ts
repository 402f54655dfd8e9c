import path from 'node:path';

export interface StorePaths {
  readonly folder: string;
  readonly database: string;
  /** Held shared by every process that has the database open, exclusively by the one that replaces it. */
  readonly lock: string;
  /** The first page at the last change of the schema: helps a rescue, proves existence. */
  readonly firstPage: string;
  /** The progress, beside the database: a loss that SQLite does not see shows here. */
  readonly mark: string;
  /** A finished rescue that only waits to be put in place. */
  readonly salvaged: string;
  readonly backups: string;
}

export function storePaths(folder: string): StorePaths {
  const database = path.join(folder, 'belay.db');
  return {
    folder,
    database,
    lock: path.join(folder, 'belay-lock.db'),
    firstPage: path.join(folder, 'belay.first-page'),
    mark: path.join(folder, 'belay.written'),
    salvaged: `${database}.salvaged`,
    backups: path.join(folder, 'backups'),
  };
}

/** The files SQLite keeps beside a database. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/** A moment as part of a file name: `2026-11-21T22-10-05`. */
export function stampOf(at: number): string {
  const date = new Date(Number.isFinite(at) ? at : 0);
  return date.toISOString().slice(0, 19).replaceAll(':', '-');
}
