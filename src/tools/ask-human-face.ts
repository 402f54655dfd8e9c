import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from './face/face.ts';
import { listOf, text, texts } from './face/fields.ts';
import { counted } from './face/words.ts';

/** Every question of the call, in its order. */
const answerDisplay = defineDisplay(
  'answer',
  { answers: listOf({ question: text, choices: texts, answer: text }) },
  {
    note: ({ answers }) => {
      if (answers.length > 1) return counted(answers.length, 'answer');
      const [{ answer } = { answer: '' }] = answers;
      return answer === '' ? '' : `“${answer.slice(0, 80)}”`;
    },
    rows: ({ answers }) =>
      answers.map(({ question, answer }) => ({ icon: 'comment', text: question, note: answer })),
  },
);

export type AnswerDisplay = DisplayOf<typeof answerDisplay>;

export const askHumanFace = defineFace(
  'ask_human',
  { question: text, more: listOf({}) },
  {
    icon: 'comment-discussion',
    title: l10n.t('Ask'),
    subject: ['question'],
    words: ({ question, more }) =>
      more.length === 0 ? {} : { subject: l10n.t('{0} (and {1} more)', question, more.length) },
    displays: [answerDisplay],
  },
);
