import { tells } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { existsSync } from 'node:fs';
import type { StoreProblem } from '../rpc.ts';
import { storeError } from './failures.ts';
import type { PresenceLock } from './lock.ts';
import { isOrdinary, isWritable, moveAside } from './own-file.ts';
import type { StorePaths } from './paths.ts';

/**
 * Clears the places of SQLite's side files of what is no file; a read-only shared memory goes, too,
 * a journal never. Only while nobody else has the database open.
 */
export function clearSideFiles(
  paths: StorePaths,
  lock: PresenceLock,
  report: (problem: StoreProblem) => void,
): void {
  const memory = `${paths.database}-shm`;
  const strange = [`${paths.database}-wal`, memory, `${paths.database}-journal`].filter(
    (file) => !isOrdinary(file) || (file === memory && existsSync(file) && !isWritable(file)),
  );
  // Leftovers of a rescue that was cut off; only files are its own.
  const rescues = [paths.salvaged, `${paths.database}.salvaging`, `${paths.database}.patched`];
  strange.push(...rescues.filter((file) => !isOrdinary(file)));
  if (strange.length === 0) return;
  if (!lock.takeAlone()) {
    lock.share();
    throw storeError(
      'not_openable',
      told`${strange[0] ?? ''} is not what Belay had made, and another window has the database open. Nothing was changed; close the other windows of this workspace, then reload this one.`,
    );
  }
  try {
    const movedTo = strange.map((file) => moveAside(file));
    report({
      kind: 'rebuilt',
      ...tells(
        told`${strange.join(', ')} was not what Belay had made, and was moved to ${movedTo.join(', ')}.`,
      ),
      movedTo,
    });
  } finally {
    lock.release();
  }
  lock.share();
}
