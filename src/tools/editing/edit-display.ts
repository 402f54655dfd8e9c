import * as l10n from '@vscode/l10n';
import { type DisplayOf, defineDisplay } from '../face/face.ts';
import { count, flag, maybeCount, maybeFlag, text } from '../face/fields.ts';
import { countedIfAny, joined } from '../face/words.ts';

export const editDisplay = defineDisplay(
  'edit',
  {
    path: text,
    /** Lines. */
    added: count,
    removed: count,
    created: flag,
    /** The user changed the edit before allowing it. */
    changedByPerson: flag,
    /** Edits of the call that did not fit and were left out; absent: none. */
    left: maybeCount,
    /** The file had changed since the model read it: the edit was merged with what was there. */
    merged: maybeFlag,
    /** Unified diff without file headers, at most 20,000 characters. */
    diff: text,
    diffCut: flag,
  },
  {
    note: ({ changedByPerson, merged, left }) => {
      const leftOut = countedIfAny(left, 'edit');
      return joined(
        changedByPerson ? l10n.t('with your changes') : '',
        merged === true ? l10n.t('merged with newer text') : '',
        leftOut === '' ? '' : l10n.t('{0} left out', leftOut),
      );
    },
    change: ({ path, added, removed, created, diff, diffCut }) => ({
      path,
      added,
      removed,
      creates: created,
      diff,
      isCut: diffCut,
    }),
  },
);

export type EditDisplay = DisplayOf<typeof editDisplay>;
