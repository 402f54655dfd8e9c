import { BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { PanelReviewing } from '../../../panel/services.ts';
import { lineOf } from '../../../window/pending/change-order.ts';
import { undoCommandChanges } from '../pending/undo-command-changes.ts';
import type { ApprovalDiffs } from '../pending/approval-diffs.ts';
import type { PendingControls } from '../pending/pending-controls.ts';

/** The editor's part of the panel's list of pending changes. */
export function panelReviewing(
  {
    reviews,
    groups,
    evidence,
    approvalDiffs,
  }: Pick<PanelReviewing, 'reviews' | 'groups' | 'evidence'> & {
    readonly approvalDiffs: ApprovalDiffs;
  },
  roots: () => readonly string[],
  controls: PendingControls,
): PanelReviewing {
  return {
    reviews,
    groups,
    evidence,
    roots,
    openApproval: async (question) => approvalDiffs.open(question),
    open: async (change) => {
      try {
        await controls.show(change);
      } catch (thrown) {
        if (thrown instanceof BelayError) throw thrown;
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        const message = told`${change.review.path} could not be opened (${reason}). Its changes stay pending and can be decided in the list.`;
        throw fault('not_found', message, { cause: thrown });
      }
    },
    openDiff: ({ review, hunk }) =>
      controls.diffs.open(
        review.path,
        hunk === undefined ? {} : { line: lineOf({ review, hunk }, 'document') },
      ),
    openAll: (files) => controls.diffs.openAll(files.map(({ path }) => path)),
    comment: ({ review, hunk }, text) =>
      controls.comments.sendAbout({ path: review.path, hunk }, text),
    undoDuring: async (id, only) => {
      if (groups !== undefined) await undoCommandChanges(groups, id, only);
    },
  };
}
