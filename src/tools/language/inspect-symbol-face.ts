import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, maybeKeyOf, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const TITLES = {
  definition: l10n.t('Definition of'),
  type_definition: l10n.t('Type of'),
  implementations: l10n.t('Implementations of'),
  references: l10n.t('References to'),
  hover: l10n.t('Documentation of'),
  callers: l10n.t('Callers of'),
  callees: l10n.t('Calls in'),
} as const;

const placesDisplay = defineDisplay(
  'places',
  { what: text, symbol: text, places: count, files: count },
  {
    note: ({ what, places, files }) => {
      if (places === 0) return l10n.t('nothing');
      if (what === 'hover') return '';
      const found = counted(places, 'place');
      return files > 1 ? l10n.t('{0} in {1}', found, counted(files, 'file')) : found;
    },
  },
);

export type PlacesDisplay = DisplayOf<typeof placesDisplay>;

export const inspectSymbolFace = defineFace(
  'inspect_symbol',
  { symbol: text, what: maybeKeyOf(TITLES) },
  {
    icon: 'symbol-method',
    title: l10n.t('Look up'),
    counted: [said(l10n.t('{0} lookup')), said(l10n.t('{0} lookups'))],
    subject: ['symbol'],
    words: ({ what }) => (what === undefined ? {} : { title: TITLES[what] }),
    displays: [placesDisplay],
  },
);
