import { BelayError } from '../domain/failure.ts';

/** `details.reason` of a write that found something else than it was to replace. */
export const CHANGED_MEANWHILE = 'changed';

/** Whether a write failed because something else was there by now: it can be merged and tried again. */
export function isChangedMeanwhile(thrown: unknown): boolean {
  return thrown instanceof BelayError && thrown.failure.details?.['reason'] === CHANGED_MEANWHILE;
}
