import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count, text } from '../face/fields.ts';
import { counted, joined } from '../face/words.ts';

const pageReadDisplay = defineDisplay(
  'page_read',
  {
    url: text,
    status: count,
    mediaType: text,
    /** Of the readable text; the model may have read less. */
    characters: count,
  },
  {
    // The kind of answer is only told where it is not the usual one.
    note: ({ status, characters }) =>
      joined(
        status >= 200 && status < 300 ? '' : l10n.t('status {0}', status),
        counted(characters, 'character'),
      ),
  },
);

export type PageReadDisplay = DisplayOf<typeof pageReadDisplay>;

export const fetchUrlFace = defineFace(
  'fetch_url',
  { url: text },
  {
    icon: 'globe',
    title: l10n.t('Read the page'),
    subject: ['url'],
    displays: [pageReadDisplay],
  },
);
