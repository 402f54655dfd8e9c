import { plural } from '../text/language.ts';

/** Says how many changes Undo All leaves because the user edited them. */
export function leftText(left: number): string {
  return plural(
    left,
    '{0} change is left because you edited it. Undo it on its own.',
    '{0} changes are left because you edited them. Undo them one by one.',
  );
}
