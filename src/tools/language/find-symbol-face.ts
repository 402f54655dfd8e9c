import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count as number, text, unlessFalse } from '../face/fields.ts';
import { atLeast } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const symbolsDisplay = defineDisplay(
  'symbols',
  { query: text, count: number, complete: unlessFalse },
  { note: ({ count, complete }) => atLeast(count, 'symbol', complete) },
);

export const findSymbolFace = defineFace(
  'find_symbol',
  { query: text, path: text },
  {
    icon: 'symbol-class',
    title: l10n.t('Find symbol'),
    counted: [said(l10n.t('{0} lookup')), said(l10n.t('{0} lookups'))],
    subject: ['query', 'path'],
    displays: [symbolsDisplay],
  },
);
