import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, maybeKeyOf, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';

const TITLES = {
  definition: 'Definition of',
  type_definition: 'Type of',
  implementations: 'Implementations of',
  references: 'References to',
  hover: 'Documentation of',
  callers: 'Callers of',
  callees: 'Calls in',
} as const;

const placesDisplay = defineDisplay(
  'places',
  { what: text, symbol: text, places: count, files: count },
  {
    note: ({ what, places, files }) => {
      if (places === 0) return 'nothing';
      if (what === 'hover') return '';
      return `${counted(places, 'place')}${files > 1 ? ` in ${counted(files, 'file')}` : ''}`;
    },
  },
);

export type PlacesDisplay = DisplayOf<typeof placesDisplay>;

export const inspectSymbolFace = defineFace(
  'inspect_symbol',
  { symbol: text, what: maybeKeyOf(TITLES) },
  {
    icon: 'symbol-method',
    title: 'Look up',
    counted: ['lookup', 'lookups'],
    subject: ['symbol'],
    words: ({ what }) => (what === undefined ? {} : { title: TITLES[what] }),
    displays: [placesDisplay],
  },
);
