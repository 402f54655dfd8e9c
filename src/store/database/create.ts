import { existsSync, rmSync } from 'node:fs';
import { Connection } from './connection.ts';
import type { DatabaseOptions } from './database-options.ts';
import { moveDurably } from './durable-file.ts';
import { useLog } from './journal.ts';
import { moveAside } from './own-file.ts';
import { SIDE_FILES } from './paths.ts';

/**
 * Creates a database under another name and renames it when its schema is complete: no process opens a half-made one,
 * and a crash leaves none. The caller holds the lock alone. @param build makes the schema
 */
export function createDatabase(
  { sqlite, busyTimeoutMs, vfs }: Pick<DatabaseOptions, 'sqlite' | 'busyTimeoutMs' | 'vfs'>,
  file: string,
  build: (connection: Connection) => void,
): void {
  const temporary = `${file}.new`;
  for (const end of ['', ...SIDE_FILES]) rmSync(temporary + end, { force: true });
  const connection = new Connection(sqlite, temporary, {
    busyTimeoutMs,
    ...(vfs === undefined ? {} : { vfs }),
  });
  try {
    useLog(connection);
    build(connection);
  } finally {
    connection.close();
  }
  // SQLite would take the log of a deleted database for the new one's own.
  for (const end of SIDE_FILES) if (existsSync(file + end)) moveAside(file + end);
  moveDurably(temporary, file);
}
