import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay } from '../face/face.ts';
import { count, flag, text } from '../face/fields.ts';
import { ENDED, endNote } from './command-end.ts';

/** A command in the background: what was known when the call ended. */
export const backgroundDisplay = defineDisplay(
  'background',
  {
    id: text,
    command: text,
    cwd: text,
    /** The panel asks the window whether it still runs. */
    running: flag,
    ...ENDED,
    /** The last characters of the output, at most 4,000. */
    tail: text,
    total: count,
  },
  {
    note: (display) =>
      display.running ? l10n.t('in the background') : endNote(display) || 'ended',
    background: ({ id, command, running, tail }) => ({ id, command, running, tail }),
    tail: ({ tail }) => tail,
  },
);

export type BackgroundDisplay = DisplayOf<typeof backgroundDisplay>;
