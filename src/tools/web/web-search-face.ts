import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { listOf, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';
import { said } from '../../domain/text/language.ts';

const searchDisplay = defineDisplay(
  'web_search',
  { results: listOf({ title: text, url: text }) },
  {
    note: ({ results }) => counted(results.length, 'result'),
    rows: ({ results }) =>
      results.map(({ title, url }) => ({ icon: 'globe', text: title, note: hostOf(url), url })),
  },
);

export type SearchDisplay = DisplayOf<typeof searchDisplay>;

export const webSearchFace = defineFace(
  'web_search',
  { query: text },
  {
    icon: 'search',
    title: l10n.t('Search the web'),
    subject: ['query'],
    counted: [said(l10n.t('{0} search')), said(l10n.t('{0} searches'))],
    displays: [searchDisplay],
  },
);

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
