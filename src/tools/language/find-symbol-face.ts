import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count as number, text, unlessFalse } from '../face/fields.ts';
import { atLeast } from '../face/words.ts';

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
    subject: ['query', 'path'],
    displays: [symbolsDisplay],
  },
);
