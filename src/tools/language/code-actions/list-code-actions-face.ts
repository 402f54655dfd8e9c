import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../../face/face.ts';
import { count as number, text } from '../../face/fields.ts';
import { counted } from '../../face/words.ts';

const actionsDisplay = defineDisplay(
  'actions',
  { count: number },
  { note: ({ count }) => counted(count, 'action') },
);

export const listCodeActionsFace = defineFace(
  'list_code_actions',
  { path: text },
  {
    icon: 'lightbulb',
    title: l10n.t('List code actions'),
    subject: ['path'],
    isFile: true,
    displays: [actionsDisplay],
  },
);
