import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, flag, maybeCount, maybeKeyOf, text } from '../face/fields.ts';
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
    /** Absent: it is not known to run tests. */
    tests: maybeKeyOf({ exit: true, hidden: true }),
    /** Absent, all three, when its output has no counts of tests. */
    passed: maybeCount,
    failed: maybeCount,
    skipped: maybeCount,
  },
  { note: endNote, tail: ({ tail }) => tail },
);

type CommandDisplay = DisplayOf<typeof commandDisplay>;
export type RunCommandDisplay = CommandDisplay | BackgroundDisplay;
/** Facts that a card keeps of a line that runs tests. */
export type CommandTests = Partial<Pick<CommandDisplay, 'tests' | 'passed' | 'failed' | 'skipped'>>;

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
