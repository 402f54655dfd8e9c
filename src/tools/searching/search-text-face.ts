import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, text, unlessFalse } from '../face/fields.ts';
import { atLeast, counted } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const matchesDisplay = defineDisplay(
  'matches',
  { pattern: text, matches: count, files: count, complete: unlessFalse },
  {
    note: ({ matches, files, complete }) =>
      matches === 0
        ? counted(0, 'match')
        : l10n.t('{0} in {1}', atLeast(matches, 'match', complete), counted(files, 'file')),
  },
);

export type MatchesDisplay = DisplayOf<typeof matchesDisplay>;

export const searchTextFace = defineFace(
  'search_text',
  { pattern: text, query: text, text },
  {
    icon: 'search',
    title: l10n.t('Search for'),
    counted: [said(l10n.t('{0} search')), said(l10n.t('{0} searches'))],
    subject: ['pattern', 'query', 'text'],
    displays: [matchesDisplay],
  },
);
