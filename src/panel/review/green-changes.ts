import * as l10n from '@vscode/l10n';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { hunksOf, listChanges } from '../../core/review/model/hunks.ts';
import { type Selected, joinSelected } from '../../core/review/model/selected-changes.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import { doubtText } from '../../domain/review/evidence-words.ts';
import {
  LISTED_GREEN,
  type DecidedView,
  type GreenChange,
  type GreenView,
  type HunkName,
} from '../../protocol/review-view.ts';
import type { PanelReviewing } from '../services.ts';
import { nameIn } from './pending-list.ts';

type Reviewing = Pick<PanelReviewing, 'reviews' | 'evidence' | 'roots'>;

/** All pending changes, by whether they are green at this moment. */
export async function greenChanges({ reviews, evidence, roots }: Reviewing): Promise<GreenView> {
  const all = listChanges(reviews.pending).slice(0, LISTED_GREEN);
  const found = await evidence.of(all);
  const view = { green: [] as GreenChange[], others: [] as GreenView['others'][number][] };
  for (const [index, { review, hunk }] of all.entries()) {
    const named = {
      path: review.path,
      name: nameIn(roots(), review.path),
      hunkId: hunk?.id ?? '',
      line: (hunk?.documentFrom ?? 0) + 1,
    };
    const doubts = found[index]?.doubts ?? ['unknown'];
    if (doubts.length === 0) view.green.push(named);
    else view.others.push({ ...named, doubts });
  }
  return view;
}

/** Keeps those of the changes that are pending and green still. */
export async function keepGreen(
  { reviews, evidence, roots }: Reviewing,
  list: { refresh(): void },
  meant: readonly HunkName[],
): Promise<DecidedView> {
  const changes = meant.flatMap(({ path, hunkId }) => {
    const review = reviews.find(path);
    const hunk = review && hunksOf(review).find(({ id }) => id === hunkId);
    return review === undefined || hunk === undefined ? [] : [{ review, hunk }];
  });
  const found = await evidence.of(changes);
  const selected: Selected[] = [];
  const doubtful: { readonly path: string; readonly reason: string }[] = [];
  for (const [index, { review, hunk }] of changes.entries()) {
    const { path } = review;
    const [doubt] = found[index]?.doubts ?? ['unknown'];
    if (doubt === undefined) selected.push({ path, choice: [hunk.id] });
    else doubtful.push({ path, reason: l10n.t('It stays pending: {0}.', doubtText(doubt)) });
  }
  try {
    const decided =
      selected.length === 0
        ? { done: 0, left: 0, failed: [] }
        : await reviews.decisions.decide('keep', joinSelected(selected));
    const failed = [...doubtful, ...decided.failed];
    return { ...decidedView({ ...decided, failed }, roots()), newer: 0 };
  } finally {
    list.refresh();
  }
}

type Decided = Awaited<ReturnType<Reviews['decisions']['decide']>>;

/** The outcome of a decision about several changes, with names as people read them. */
export function decidedView(
  { id, done, left, failed }: Pick<Decided, 'id' | 'done' | 'left'> & { readonly failed: Failed },
  roots: readonly string[],
): Omit<DecidedView, 'newer'> {
  return { id: id ?? null, done, left, failed: nameFiles(failed, roots) };
}

type Failed = readonly { readonly path: string; readonly reason: string }[];

/** Adds names as people read them. */
export function nameFiles(failed: Failed, roots: readonly string[]): DecidedView['failed'] {
  return failed.map(({ path, reason }) => {
    const name = nameIn(roots, path);
    return { path, name, reason: makeVisible(reason.replaceAll(path, name)) };
  });
}
