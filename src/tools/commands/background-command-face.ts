import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count as number, maybeKeyOf, text } from '../face/fields.ts';
import { backgroundDisplay } from './background-display.ts';

const TITLES = {
  read: 'Read the output of',
  write: 'Write to',
  stop: 'Stop',
  list: 'List what runs in the background',
} as const;

const backgroundListDisplay = defineDisplay(
  'background_list',
  { running: number, count: number },
  { note: ({ running, count }) => `${running} of ${count} running` },
);

export const backgroundCommandFace = defineFace(
  'background_command',
  { id: text, action: maybeKeyOf(TITLES) },
  {
    icon: 'terminal',
    title: 'Background command',
    subject: ['id'],
    words: ({ action }) => (action === undefined ? {} : { title: TITLES[action] }),
    displays: [backgroundDisplay, backgroundListDisplay],
  },
);

export type BackgroundListDisplay = DisplayOf<typeof backgroundListDisplay>;
