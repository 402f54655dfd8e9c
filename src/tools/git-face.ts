import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from './face/face.ts';
import { count, flag, maybeText, text } from './face/fields.ts';
import { atLeast } from './face/words.ts';

const gitDisplay = defineDisplay(
  'git',
  {
    action: text,
    ref: maybeText,
    /** Of the output. */
    lines: count,
    /** There is more of it. */
    cut: flag,
  },
  { note: ({ lines, cut }) => atLeast(lines, 'line', !cut) },
);

export type GitDisplay = DisplayOf<typeof gitDisplay>;

export const gitFace = defineFace(
  'git',
  { action: text, ref: text, path: text },
  {
    icon: 'git-commit',
    title: 'git',
    subject: ['action'],
    words: ({ action, ref, path }) => {
      if (action === 'message')
        return { title: l10n.t('Changes for a commit message'), subject: '' };
      const about = [ref, path].filter((one) => one !== '').join(' ');
      return action === '' ? {} : { title: `git ${action}`, subject: about };
    },
    displays: [gitDisplay],
  },
);
