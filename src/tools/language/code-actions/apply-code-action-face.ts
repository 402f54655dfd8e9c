import * as l10n from '@vscode/l10n';
import { editDisplay } from '../../editing/edit-display.ts';
import { defineFace } from '../../face/face.ts';
import { text } from '../../face/fields.ts';
import { patchDisplay } from '../../patch/patch-display.ts';

export const applyCodeActionFace = defineFace(
  'apply_code_action',
  { title: text },
  {
    icon: 'lightbulb-autofix',
    title: l10n.t('Apply'),
    subject: ['title'],
    displays: [editDisplay, patchDisplay],
  },
);
