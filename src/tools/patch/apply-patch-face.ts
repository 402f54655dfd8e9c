import * as l10n from '@vscode/l10n';
import { defineFace } from '../face/face.ts';
import { text } from '../face/fields.ts';
import { patchDisplay } from './patch-display.ts';

export const applyPatchFace = defineFace(
  'apply_patch',
  { patch: text },
  {
    icon: 'diff-multiple',
    title: l10n.t('Patch'),
    words: ({ patch }) => ({ subject: [...new Set(filesIn(patch))].join(', ') }),
    displays: [patchDisplay],
  },
);

/** The files that a patch names, in either of its formats. */
function filesIn(patch: string): readonly string[] {
  return [
    ...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gmu),
    ...patch.matchAll(/^\+\+\+ (?:b\/)?([^\t\n]+)/gmu),
  ].flatMap(([, name]) => (name === undefined || name === '/dev/null' ? [] : [name.trim()]));
}
