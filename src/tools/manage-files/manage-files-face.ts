import { inWords } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay, defineFace } from '../face/face.ts';
import {
  keyOf,
  listOf,
  maybeKeyOf,
  maybeText,
  maybeTold,
  maybeTexts,
  text,
} from '../face/fields.ts';

const OPERATIONS = {
  create_folder: { icon: 'new-folder', title: l10n.t('Create folder') },
  rename: { icon: 'arrow-right', title: l10n.t('Move') },
  copy: { icon: 'copy', title: l10n.t('Copy') },
  delete: { icon: 'trash', title: l10n.t('Delete') },
} as const;

/** With what takes each operation back: it is done in the opposite order. */
const manageDisplay = defineDisplay(
  'manage',
  {
    /** "2 of 3 done" */
    note: text,
    operations: listOf({
      kind: keyOf(OPERATIONS, 'rename'),
      path: text,
      /** Moved or copied to. */
      to: maybeText,
      problem: maybeTold,
      /** A deleted thing's place: the system's trash, or an absolute path in Belay's folder. */
      kept: maybeText,
      /** Folders that were made for it, absolute, the outermost first. */
      created: maybeTexts,
    }),
  },
  {
    note: ({ note }) => note,
    rows: ({ operations }) =>
      operations.map(({ kind, path, to = '', kept = '', problem = '' }) => ({
        icon: OPERATIONS[kind].icon,
        text: to === '' ? path : `${path} → ${to}`,
        note:
          kept === '' ? '' : kept === 'trash' ? l10n.t('in the trash') : l10n.t('kept by Belay'),
        problem: inWords(problem),
      })),
  },
);

export type ManageDisplay = DisplayOf<typeof manageDisplay>;

/** "Move a.ts → b.ts", "Delete a.ts, b.ts", "Change files a.ts, b.ts". */
export const manageFilesFace = defineFace(
  'manage_files',
  { operations: listOf({ kind: maybeKeyOf(OPERATIONS), path: text, to: text }) },
  {
    icon: 'files',
    title: l10n.t('Change files'),
    subject: ['operations'],
    words: ({ operations }) => {
      const [first] = operations;
      if (first === undefined) return {};
      const { kind, path, to } = first;
      const isAlike = operations.every((operation) => operation.kind === kind);
      return {
        ...(isAlike && kind !== undefined ? OPERATIONS[kind] : {}),
        ...(operations.length === 1 && to !== '' ? { subject: `${path} → ${to}` } : {}),
      };
    },
    displays: [manageDisplay],
  },
);
