import { plural } from '../text/language.ts';

/** Says how many changes by commands a bulk decision leaves, and what to do with them. */
export function leftText(left: number): string {
  return plural(
    left,
    '{0} change by a command is left, because it may be yours. Review it on its own.',
    '{0} changes by commands are left, because they may be yours. Review them one by one.',
  );
}
