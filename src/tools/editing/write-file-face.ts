import * as l10n from '@vscode/l10n';
import { defineFace } from '../face/face.ts';
import { text } from '../face/fields.ts';
import { editDisplay } from './edit-display.ts';

export const writeFileFace = defineFace(
  'write_file',
  { path: text },
  {
    icon: 'new-file',
    title: l10n.t('Write'),
    subject: ['path'],
    isFile: true,
    displays: [editDisplay],
  },
);
