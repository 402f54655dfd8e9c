import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count, flag, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';

const cellDisplay = defineDisplay(
  'cell',
  { path: text, cell: count, success: flag, outputs: count, images: count },
  { note: ({ cell, outputs }) => l10n.t('cell {0}, {1}', cell, counted(outputs, 'output')) },
);

export const runNotebookCellFace = defineFace(
  'run_notebook_cell',
  { path: text },
  {
    icon: 'notebook',
    title: l10n.t('Run cell of'),
    subject: ['path'],
    isFile: true,
    displays: [cellDisplay],
  },
);
