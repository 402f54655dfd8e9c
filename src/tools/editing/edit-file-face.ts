import * as l10n from '@vscode/l10n';
import { defineFace } from '../face/face.ts';
import { text } from '../face/fields.ts';
import { editDisplay } from './edit-display.ts';

export const editFileFace = defineFace(
  'edit_file',
  { path: text },
  {
    icon: 'edit',
    title: l10n.t('Edit'),
    subject: ['path'],
    isFile: true,
    displays: [editDisplay],
  },
);
