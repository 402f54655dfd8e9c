import { type DisplayOf, defineDisplay } from '../face/face.ts';
import { count, flag, keyOf, listOf, text } from '../face/fields.ts';
import { counted } from '../face/words.ts';

const ICONS = {
  add: 'diff-added',
  edit: 'diff-modified',
  delete: 'diff-removed',
  move: 'diff-renamed',
} as const;

/** A patch, and edits of a language server in several files. */
export const patchDisplay = defineDisplay(
  'patch',
  {
    files: listOf({
      /** Its present path. */
      path: text,
      action: keyOf(ICONS, 'edit'),
      /** Lines. */
      added: count,
      removed: count,
    }),
    /** Unified diffs, each after a line with its path; at most 20,000 characters. */
    diff: text,
    diffCut: flag,
  },
  {
    note: ({ files }) => counted(files.length, 'file'),
    rows: ({ files }) =>
      files.map(({ path, action, added, removed }) => ({
        icon: ICONS[action],
        text: path,
        note: [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(
          ' ',
        ),
        path: action === 'delete' ? '' : path,
        problem: '',
      })),
    change: ({ files, diff, diffCut }) => ({
      path: '',
      added: files.reduce((total, { added }) => total + added, 0),
      removed: files.reduce((total, { removed }) => total + removed, 0),
      creates: false,
      diff,
      isCut: diffCut,
    }),
  },
);

export type PatchDisplay = DisplayOf<typeof patchDisplay>;
