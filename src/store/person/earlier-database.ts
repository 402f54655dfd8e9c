import { rmSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '../database/connection.ts';
import { moveDurably } from '../database/durable-file.ts';
import { sizeOf } from '../database/health.ts';
import type { Sqlite } from '../database/sqlite.ts';

/**
 * Copies the database from where an earlier version kept it; the old file stays. The caller holds the lock alone.
 * Returns `false` if there is none, or none that can be read.
 */
export function copyEarlierDatabase(
  {
    sqlite,
    earlierFolder,
    busyTimeoutMs,
  }: { readonly sqlite: Sqlite; readonly earlierFolder?: string; readonly busyTimeoutMs: number },
  file: string,
): boolean {
  if (earlierFolder === undefined) return false;
  const earlier = path.join(earlierFolder, path.basename(file));
  const copy = `${file}.new`;
  let source: Connection | undefined;
  try {
    if (sizeOf(earlier) <= 0) return false;
    rmSync(copy, { force: true });
    source = new Connection(sqlite, earlier, { readOnly: true, busyTimeoutMs });
    source.run('VACUUM INTO ?', copy);
    moveDurably(copy, file);
    return true;
  } catch {
    return false;
  } finally {
    source?.close();
  }
}
