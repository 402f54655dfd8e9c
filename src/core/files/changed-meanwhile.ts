import { told } from '../../domain/text/told.ts';
import { BelayError, fault } from '../../domain/failure.ts';
import type { WriteOptions } from '../ports/files/file-system.ts';
import { sameBytes } from '../../domain/data/same-bytes.ts';

type Replaces = WriteOptions['replaces'];

/** `details.reason` of a write that found something else than it was to replace. */
export const CHANGED_MEANWHILE = 'changed';

/** True when a write failed because something else was there: it can be merged. */
export function isChangedMeanwhile(thrown: unknown): boolean {
  return thrown instanceof BelayError && thrown.failure.details?.['reason'] === CHANGED_MEANWHILE;
}

/** True when a file holds what a write is to replace; `present` absent: there is no file. */
export function isReplaced(replaces: Replaces, present: Uint8Array | undefined): boolean {
  if (replaces === undefined) return true;
  if (replaces === 'nothing' || present === undefined)
    return replaces === 'nothing' && present === undefined;
  return sameBytes(replaces, present);
}

/** The failure of a write that would have replaced something else; `isThere`: there is a file. */
export function changedMeanwhile(path: string, replaces: Replaces, isThere: boolean): BelayError {
  const written =
    replaces === 'nothing'
      ? told`was created by something else`
      : told`was changed by something else`;
  const happened = isThere ? written : told`was deleted or moved by something else`;
  return fault(
    'invalid',
    told`${path} ${happened} before it could be written. Nothing was written and the change is kept. Read the file again, then edit it.`,
    { details: { path, reason: CHANGED_MEANWHILE } },
  );
}
