import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from './face/face.ts';
import { count, text } from './face/fields.ts';
import { counted } from './face/words.ts';
import { numeral, said } from '../domain/text/language.ts';

const pageDisplay = defineDisplay(
  'page',
  { resultId: text, offset: count, length: count, total: count },
  {
    note: ({ offset, length, total }) =>
      l10n.t(
        '{0}–{1} of {2}',
        numeral(offset),
        numeral(offset + length),
        counted(total, 'character'),
      ),
  },
);

export const readResultFace = defineFace(
  'read_result',
  { result_id: text },
  {
    icon: 'output',
    title: l10n.t('Read more of a long result'),
    counted: [said(l10n.t('{0} read')), said(l10n.t('{0} reads'))],
    displays: [pageDisplay],
  },
);
