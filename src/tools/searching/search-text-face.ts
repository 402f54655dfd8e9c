import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, text, unlessFalse } from '../face/fields.ts';
import { atLeast, counted } from '../face/words.ts';

const matchesDisplay = defineDisplay(
  'matches',
  { pattern: text, matches: count, files: count, complete: unlessFalse },
  {
    note: ({ matches, files, complete }) =>
      `${atLeast(matches, 'match', complete)}${matches === 0 ? '' : ` in ${counted(files, 'file')}`}`,
  },
);

export type MatchesDisplay = DisplayOf<typeof matchesDisplay>;

export const searchTextFace = defineFace(
  'search_text',
  { pattern: text, query: text, text },
  {
    icon: 'search',
    title: 'Search for',
    counted: ['search', 'searches'],
    subject: ['pattern', 'query', 'text'],
    displays: [matchesDisplay],
  },
);
