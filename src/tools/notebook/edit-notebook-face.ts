import * as l10n from '@vscode/l10n';
import { editDisplay } from '../editing/edit-display.ts';
import { defineFace } from '../face/face.ts';
import { text } from '../face/fields.ts';

export const editNotebookFace = defineFace(
  'edit_notebook',
  { path: text },
  {
    icon: 'notebook',
    title: l10n.t('Edit cells of'),
    subject: ['path'],
    isFile: true,
    displays: [editDisplay],
  },
);
