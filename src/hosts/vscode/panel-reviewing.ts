import * as vscode from 'vscode';
import { hunksOf } from '../../core/review/hunks.ts';
import { proposedAt } from '../../core/review/file-review.ts';
import type { PendingReview, Reviews } from '../../core/review/reviews.ts';
import { BelayError } from '../../domain/failure.ts';
import type { PanelReviewing } from './panel/services.ts';

/** What the editor does for the panel's list of pending changes; `undefined`: nothing is reviewed. */
export function panelReviewing(
  reviews: Reviews | undefined,
  roots: () => readonly string[],
): PanelReviewing | undefined {
  if (reviews === undefined) return undefined;
  return {
    reviews,
    roots,
    open: showPlace,
    openAll: async ([first]) => {
      if (first !== undefined) await showPlace({ ...first, hunkId: undefined });
    },
    confirmReject: async ({ files, hunks }) => {
      const what = `${hunks === 1 ? 'the change' : `all ${hunks} changes`} in ${files === 1 ? 'one file' : `${files} files`}`;
      const detail = `What is written is taken back, what is proposed is forgotten. The model is told.`;
      const chosen = await vscode.window.showWarningMessage(
        `Reject ${what}?`,
        { modal: true, detail },
        'Reject All',
      );
      return chosen === 'Reject All';
    },
  };
}

/** The file, with the lines of a change selected. */
async function showPlace({
  kind,
  review,
  hunkId,
}: PendingReview & { readonly hunkId: string | undefined }): Promise<void> {
  const hunk = hunksOf(review).find(({ id }) => id === hunkId);
  const at = kind === 'written' ? hunk?.documentFrom : hunk?.baselineFrom;
  const uri = vscode.Uri.file(kind === 'written' ? review.path : proposedAt(review));
  const place = new vscode.Position(at ?? 0, 0);
  try {
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(place, place) });
  } catch (thrown) {
    throw new BelayError(
      {
        code: 'not_found',
        message: `${review.path} cannot be shown: ${thrown instanceof Error ? thrown.message : String(thrown)}. The change stays pending and can be decided in the list.`,
      },
      { cause: thrown },
    );
  }
}
