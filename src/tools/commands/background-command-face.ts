import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count as number, maybeKeyOf, text } from '../face/fields.ts';
import { backgroundDisplay } from './background-display.ts';

const TITLES = {
  read: l10n.t('Read the output of'),
  write: l10n.t('Write to'),
  stop: l10n.t('Stop'),
  list: l10n.t('List what runs in the background'),
} as const;

const backgroundListDisplay = defineDisplay(
  'background_list',
  { running: number, count: number },
  { note: ({ running, count }) => l10n.t('{0} of {1} running', running, count) },
);

export const backgroundCommandFace = defineFace(
  'background_command',
  { id: text, action: maybeKeyOf(TITLES) },
  {
    icon: 'terminal',
    title: l10n.t('Background command'),
    subject: ['id'],
    words: ({ action }) => (action === undefined ? {} : { title: TITLES[action] }),
    displays: [backgroundDisplay, backgroundListDisplay],
  },
);

export type BackgroundListDisplay = DisplayOf<typeof backgroundListDisplay>;
