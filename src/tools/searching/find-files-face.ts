import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count as number, text, unlessFalse } from '../face/fields.ts';
import { atLeast } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const filesDisplay = defineDisplay(
  'files',
  { pattern: text, count: number, complete: unlessFalse },
  { note: ({ count, complete }) => atLeast(count, 'file', complete) },
);

export const findFilesFace = defineFace(
  'find_files',
  { pattern: text, glob: text, query: text },
  {
    icon: 'file-directory',
    title: l10n.t('Find files'),
    counted: [said(l10n.t('{0} search')), said(l10n.t('{0} searches'))],
    subject: ['pattern', 'glob', 'query'],
    displays: [filesDisplay],
  },
);
