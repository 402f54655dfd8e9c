import * as l10n from '@vscode/l10n';
import { said } from '../../domain/text/language.ts';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';

const skillDisplay = defineDisplay(
  'skill',
  { characters: count },
  { note: ({ characters }) => counted(characters, 'character') },
);

export const readSkillFace = defineFace(
  'read_skill',
  { name: text, file: text },
  {
    icon: 'book',
    title: l10n.t('Read a skill'),
    subject: ['name'],
    counted: [said(l10n.t('{0} read')), said(l10n.t('{0} reads'))],
    displays: [skillDisplay],
  },
);
