import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count, text, unlessFalse } from '../face/fields.ts';
import { atLeast } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const listDisplay = defineDisplay(
  'list',
  { path: text, files: count, complete: unlessFalse },
  { note: ({ files, complete }) => atLeast(files, 'file', complete) },
);

export const listFilesFace = defineFace(
  'list_files',
  { path: text, directory: text },
  {
    icon: 'list-tree',
    title: l10n.t('List'),
    counted: [said(l10n.t('{0} listing')), said(l10n.t('{0} listings'))],
    subject: ['path', 'directory'],
    isFile: true,
    displays: [listDisplay],
  },
);
