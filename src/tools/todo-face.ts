import * as l10n from '@vscode/l10n';
import type { TodoItem } from '../domain/session/todo.ts';
import { defineDisplay, defineFace } from './face/face.ts';
import { count, listOf, maybeKeyOf, text } from './face/fields.ts';

const STEP_ICONS: Readonly<Record<TodoItem['status'], string>> = {
  open: 'circle-large-outline',
  active: 'arrow-right',
  done: 'check',
};

const todoDisplay = defineDisplay(
  'todo',
  { done: count, total: count },
  { note: ({ done, total }) => l10n.t('{0} of {1} done', done, total) },
);

export const todoFace = defineFace(
  'todo',
  { items: listOf({ text, status: maybeKeyOf(STEP_ICONS) }) },
  {
    icon: 'checklist',
    title: l10n.t('Steps'),
    /** The step that is worked on. */
    words: ({ items }) => ({
      subject: items.find(({ status }) => status === 'active')?.text ?? '',
    }),
    steps: ({ items }) =>
      items.map((item) => ({
        icon: item.status === undefined ? 'file' : STEP_ICONS[item.status],
        text: item.text,
      })),
    displays: [todoDisplay],
  },
);
