import * as l10n from '@vscode/l10n';
import { ENDED, endNote } from '../commands/command-end.ts';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { flag, maybeCount, text, texts } from '../face/fields.ts';
import { joined } from '../face/words.ts';

const testsDisplay = defineDisplay(
  'tests',
  {
    command: text,
    ...ENDED,
    timedOut: flag,
    /** Absent, all three, when the output had no counts. */
    passed: maybeCount,
    failed: maybeCount,
    skipped: maybeCount,
    /** The last characters of the output, at most 4,000. */
    tail: text,
  },
  {
    note: (display) => {
      const { passed, failed = 0, skipped = 0, timedOut } = display;
      return joined(
        timedOut || display.failed === undefined ? endNote(display) : '',
        failed === 0 ? '' : l10n.t('{0} failed', failed),
        passed === undefined ? '' : l10n.t('{0} passed', passed),
        skipped === 0 ? '' : l10n.t('{0} skipped', skipped),
      );
    },
    tail: ({ tail }) => tail,
  },
);

export type TestsDisplay = DisplayOf<typeof testsDisplay>;

export const runTestsFace = defineFace(
  'run_tests',
  { files: texts, name: text },
  {
    icon: 'beaker',
    title: l10n.t('Run tests'),
    subject: ['files', 'name'],
    displays: [testsDisplay],
  },
);
