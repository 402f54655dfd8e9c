import * as l10n from '@vscode/l10n';
import { editDisplay } from '../editing/edit-display.ts';
import { defineFace } from '../face/face.ts';
import { maybeText, text } from '../face/fields.ts';
import { patchDisplay } from '../patch/patch-display.ts';

export const renameSymbolFace = defineFace(
  'rename_symbol',
  { symbol: text, new_name: maybeText },
  {
    icon: 'rename',
    title: l10n.t('Rename'),
    subject: ['symbol'],
    words: ({ symbol, new_name }) =>
      new_name === undefined ? {} : { subject: `${symbol} → ${new_name}` },
    displays: [editDisplay, patchDisplay],
  },
);
