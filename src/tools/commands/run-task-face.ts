import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import { count as number, flag, maybeCount, maybeText } from '../face/fields.ts';
import { counted, countedIfAny, joined } from '../face/words.ts';
import { endNote } from './command-end.ts';

const taskDisplay = defineDisplay(
  'task',
  {
    /** Absent: the list of them. */
    task: maybeText,
    exitCode: maybeCount,
    /** Problems that its matchers found; of a list: the tasks. */
    count: number,
    /** It goes on: a task that watches. */
    running: flag,
  },
  {
    note: ({ task = '', count, running, ...end }) => {
      if (task === '') return counted(count, 'task');
      return running ? l10n.t('goes on') : joined(endNote(end), countedIfAny(count, 'problem'));
    },
  },
);

export type TaskDisplay = DisplayOf<typeof taskDisplay>;

export const runTaskFace = defineFace(
  'run_task',
  { task: maybeText },
  {
    icon: 'tools',
    title: l10n.t('Run task'),
    subject: ['task'],
    words: ({ task }) => (task === undefined ? { title: l10n.t('List tasks') } : {}),
    displays: [taskDisplay],
  },
);
