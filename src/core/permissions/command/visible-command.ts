import { BLANK, makeVisible } from '../../../domain/text/honest-text.ts';

/** Blanks side by side from which they are counted instead of shown: they could push the rest out of sight. */
const MOST_BLANKS = 8;
/** The same for empty lines. */
const MOST_LINES = 3;

const BLANKS = new RegExp(`${BLANK}{${MOST_BLANKS + 1},}`, 'gu');
const LINES = new RegExp(`(?:${BLANK}{0,200}\\n){${MOST_LINES + 1},}`, 'gu');
/** Blanks that look like a space and are none to the shell. */
const ODD_BLANK = /[^\S\n\t ]|\u2800/gu;

/** A command as the person reads it: whole, with invisible characters and blanks in sight. */
export function visibleCommand(command: string): string {
  return makeVisible(
    command
      .replace(LINES, (run) => `\n⟨${run.split('\n').length - 1} line ends⟩\n`)
      .replace(BLANKS, (run) => ` ⟨${Array.from(run).length} blanks⟩ `)
      .replace(ODD_BLANK, (blank) =>
        blank === '\r'
          ? blank
          : `<U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
      ),
  );
}
