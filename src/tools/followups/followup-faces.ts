import * as l10n from '@vscode/l10n';
import { dateAndTime } from '../../domain/text/language.ts';
import { defineDisplay, defineFace } from '../face/face.ts';
import { count, maybeCount, maybeText, text } from '../face/fields.ts';

const followUpDisplay = defineDisplay(
  'followup',
  { id: text, dueAt: count },
  { note: ({ dueAt }) => dateAndTime(dueAt) },
);

export const scheduleFollowupFace = defineFace(
  'schedule_followup',
  { prompt: text, delay_minutes: maybeCount, at: maybeText },
  {
    icon: 'watch',
    title: l10n.t('Schedule a follow-up'),
    subject: ['prompt'],
    displays: [followUpDisplay],
  },
);

export const cancelFollowupFace = defineFace(
  'cancel_followup',
  { id: text },
  {
    icon: 'watch',
    title: l10n.t('Cancel a follow-up'),
    subject: ['id'],
    displays: [followUpDisplay],
  },
);
