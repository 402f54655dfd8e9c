import * as l10n from '@vscode/l10n';
import type { Reviews, Selected } from '../../core/review/service/reviews.ts';
import type { FileReview } from '../../core/review/model/file-review.ts';
import {
  listAuthors,
  chosenHunks,
  countChanges,
  hunksOf,
  type PendingChange,
} from '../../core/review/model/hunks.ts';
import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { RequestHandlers, RequestParams } from '../../protocol/requests.ts';
import type { DecidedView, ReviewSelection } from '../../protocol/review-view.ts';
import { keepGreen, decidedView, greenChanges, nameFiles } from '../review/green-changes.ts';
import type { SeenFile } from '../review/pending-list.ts';
import type { PanelMemory, PanelReviewing } from '../services.ts';

export type ReviewRequest =
  | 'openChange'
  | 'openCallChange'
  | 'openAllChanges'
  | 'undoDuring'
  | 'dismissDuring'
  | 'commentOnChange'
  | 'decideChanges'
  | 'takeBackDecision'
  | 'takeOverChanges'
  | 'changeEvidence'
  | 'greenChanges'
  | 'lookAt'
  | 'unfoldChanges';

/** The handlers' part of the list on screen. */
export interface ReviewControl {
  /** The files that a list showed; `undefined`: it is too old. */
  seen(version: number): readonly SeenFile[] | undefined;
  refresh(): void;
  unfold(unfolded: boolean): void;
}

/**
 * Handlers of the panel's requests about pending changes. A stale id is refused with a sentence, and nothing is done.
 */
export function reviewHandlers(
  reviewing: PanelReviewing,
  list: ReviewControl,
  memory: Pick<PanelMemory, 'unfoldChanges'>,
): Pick<RequestHandlers, ReviewRequest> {
  const { reviews } = reviewing;
  return {
    openChange: async ({ path, hunkId }) => {
      const review = pendingIn(reviews, path);
      const hunks = hunksOf(review);
      const hunk = hunkId === null ? hunks[0] : hunks.find(({ id }) => id === hunkId);
      if (hunk === undefined && hunkId !== null) throw stale();
      await reviewing.open({ review, hunk });
      return null;
    },
    openCallChange: async ({ callId }) => {
      const change = changeOf(reviews, callId);
      if (change === undefined) throw gone(l10n.t('Nothing of this edit is pending any more.'));
      await reviewing.open(change);
      return null;
    },
    openAllChanges: async ({ request }) => {
      const files = reviews.pending.filter(
        (review) =>
          request === null ||
          listAuthors(review).some(
            ({ sessionId, messageId }) =>
              sessionId === request.sessionId && messageId === request.messageId,
          ),
      );
      if (files.length === 0) throw gone(l10n.t('Nothing of this request is pending any more.'));
      await reviewing.openAll(files);
      return null;
    },
    undoDuring: async ({ id, path }) => {
      await (path === null ? reviewing.undoDuring(id) : reviewing.undoDuring(id, [path]));
      return null;
    },
    dismissDuring: async ({ id }) => {
      await reviewing.groups?.dismiss(id);
      return null;
    },
    commentOnChange: async ({ path, hunkId, text }) => {
      const review = pendingIn(reviews, path);
      const [hunk] = chosenHunks(review, [hunkId]);
      if (hunk === undefined) throw stale();
      await reviewing.comment({ review, hunk }, text);
      return null;
    },
    decideChanges: (params) => decide(reviewing, list, params),
    takeOverChanges: async () => {
      await reviews.owner.takeOver();
      list.refresh();
      return null;
    },
    takeBackDecision: async ({ id }) => {
      try {
        const { done, failed } = await reviews.redo.takeBack(id);
        return { done, failed: nameFiles(failed, reviewing.roots()) };
      } finally {
        list.refresh();
      }
    },
    changeEvidence: async ({ path, hunkId }) => {
      const review = pendingIn(reviews, path);
      const [hunk] = chosenHunks(review, [hunkId]);
      if (hunk === undefined) throw stale();
      const [evidence] = await reviewing.evidence.of([{ review, hunk }]);
      if (evidence === undefined) throw stale();
      return evidence;
    },
    greenChanges: () => greenChanges(reviewing),
    lookAt: ({ path, hunkIds, looked }) => {
      if (chosenHunks(pendingIn(reviews, path), hunkIds).length < hunkIds.length) throw stale();
      reviews.decisions.look(path, hunkIds, looked);
      list.refresh();
      return null;
    },
    unfoldChanges: ({ unfolded }) => {
      memory.unfoldChanges(unfolded);
      list.unfold(unfolded);
      return null;
    },
  };
}

/** The first change of a call that is pending. */
export function changeOf(
  { pending }: Pick<Reviews, 'pending'>,
  callId: string,
): PendingChange | undefined {
  for (const review of pending) {
    const hunks = hunksOf(review);
    const hunk = hunks.find(({ by }) => by.some((one) => one.callId === callId));
    const whole = review.wholeFileBy.some((one) => one.callId === callId);
    if (hunk !== undefined || whole) return { review, hunk: hunk ?? hunks[0] };
  }
  return undefined;
}

async function decide(
  reviewing: PanelReviewing,
  list: ReviewControl,
  { decision, version, selection }: RequestParams<'decideChanges'>,
): Promise<DecidedView> {
  const { reviews, roots } = reviewing;
  if (selection.of === 'hunk') {
    const { path, hunkId } = selection;
    try {
      const review = pendingIn(reviews, path);
      const known = chosenHunks(review, [hunkId]).length === 1;
      // The only change of a renamed file decides about its name, too.
      const choice = known ? whole(review, [hunkId]) : [hunkId];
      const id = await reviews.decisions[decision]({ path, choice });
      return { id: id ?? null, done: 1, failed: [], newer: 0, left: 0 };
    } finally {
      list.refresh();
    }
  }
  if (selection.of === 'green') return keepGreen(reviewing, list, selection.hunks);
  const seen = list.seen(version);
  if (seen === undefined)
    throw gone(l10n.t('The list is not the newest any more. Look at it again, then decide.'));
  const meant = seen.filter((file) => isMeant(file, selection));
  const { selected, newer } = stillPending(reviews, meant, selection);
  if (selected.length === 0) throw gone(l10n.t('None of these changes is pending any more.'));
  try {
    const decided = await reviews.decisions.decide(decision, selected, selection.of !== 'file');
    return { ...decidedView(decided, roots()), newer };
  } finally {
    list.refresh();
  }
}

function isMeant(
  file: SeenFile,
  selection: Exclude<ReviewSelection, { readonly of: 'hunk' | 'green' }>,
): boolean {
  switch (selection.of) {
    case 'all':
      return true;
    case 'request':
    case 'file':
      return (
        file.sessionId === selection.sessionId &&
        file.messageId === selection.messageId &&
        (selection.of === 'request' || file.path === selection.path)
      );
    default:
      return selection satisfies never;
  }
}

/** The seen changes that are still pending: nobody decides about what came after them. */
function stillPending(
  reviews: Pick<Reviews, 'find' | 'pending'>,
  meant: readonly SeenFile[],
  selection: ReviewSelection,
): { readonly selected: readonly Selected[]; readonly newer: number } {
  const byFile = Map.groupBy(meant, ({ path }) => path);
  let newer = 0;
  const selected = [...byFile.values()].flatMap((parts): Selected[] => {
    const [first] = parts;
    if (first === undefined) return [];
    const { path } = first;
    const review = reviews.find(path);
    if (review === undefined) return [];
    const seen = new Set(parts.flatMap(({ hunkIds }) => hunkIds));
    const ids = hunksOf(review).map(({ id }) => id);
    const left = ids.filter((id) => seen.has(id));
    if (left.length === 0 && ids.length > 0) return [];
    if (selection.of === 'all') newer += ids.length - left.length;
    return [{ path, choice: whole(review, left) }];
  });
  if (selection.of !== 'all') return { selected, newer };
  const others = reviews.pending.filter((review) => !byFile.has(review.path));
  return {
    selected,
    newer: others.reduce((sum, review) => sum + countChanges(review), newer),
  };
}

/** Everything of a file takes its renaming along. */
function whole(review: FileReview, ids: readonly string[]): readonly string[] | 'all' {
  const every = ids.length === hunksOf(review).length;
  return every && review.renamedFrom !== undefined ? 'all' : ids;
}

function pendingIn(reviews: Pick<Reviews, 'find'>, path: string): FileReview {
  const review = reviews.find(path);
  if (review !== undefined) return review;
  throw gone(l10n.t('Nothing is pending in {0} any more.', makeVisible(path)));
}

function stale(): BelayError {
  return gone(
    l10n.t('This change is not pending any more: it was decided, undone or edited meanwhile.'),
  );
}

function gone(what: string): BelayError {
  return fault('not_found', told`${what} Nothing was done.`);
}
