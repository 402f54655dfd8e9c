import * as l10n from '@vscode/l10n';
import { defineDisplay, defineFace } from '../face/face.ts';
import { maybeCount, recordOf, text } from '../face/fields.ts';
import { joined } from '../face/words.ts';
import { pages, rangeNote } from './read-file-face.ts';
import { said } from '../../domain/text/language.ts';

const attachmentDisplay = defineDisplay(
  'attachment',
  {
    name: text,
    from: maybeCount,
    to: maybeCount,
    lines: maybeCount,
    /** Of a PDF file. */
    pages: recordOf(pages),
  },
  { note: (display) => joined(display.name, rangeNote(display)) },
);

export const readAttachmentFace = defineFace(
  'read_attachment',
  { file_id: text },
  {
    icon: 'file',
    title: l10n.t('Read the attached file'),
    counted: [said(l10n.t('{0} read')), said(l10n.t('{0} reads'))],
    displays: [attachmentDisplay],
  },
);
