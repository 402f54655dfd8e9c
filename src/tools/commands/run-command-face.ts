import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, flag, text } from '../face/fields.ts';
import { type BackgroundDisplay, backgroundDisplay } from './background-display.ts';
import { ENDED, endNote } from './command-end.ts';

const commandDisplay = defineDisplay(
  'command',
  {
    command: text,
    cwd: text,
    ...ENDED,
    timedOut: flag,
    /** The last lines of the output, at most 4,000 characters; the whole is the result's content. */
    tail: text,
    /** Characters of the whole output. */
    total: count,
  },
  { note: endNote, tail: ({ tail }) => tail },
);

export type RunCommandDisplay = DisplayOf<typeof commandDisplay> | BackgroundDisplay;

export const runCommandFace = defineFace(
  'run_command',
  { command: text },
  {
    icon: 'terminal',
    title: l10n.t('Run'),
    subject: ['command'],
    isLive: true,
    displays: [commandDisplay, backgroundDisplay],
  },
);
