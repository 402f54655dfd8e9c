import { batch } from '@preact/signals';
import type { SessionView, Snapshot } from '../../src/protocol/snapshot.ts';
import type { SavedView } from '../../src/protocol/view.ts';
import type { Panel } from '../panel.ts';
import type { ViewState } from '../view-state.ts';
import { mentionChip } from '../views/composer/mentioning.ts';

/** The page's first paint, before its host speaks; `undefined`: nothing was kept. */
export function paintOfPage(): Snapshot | undefined {
  const data = document.getElementById('paint')?.textContent;
  return data === undefined ? undefined : (JSON.parse(data) as Snapshot);
}

/**
 * Puts the host's first snapshot in the place of what was painted. The person may have typed meanwhile: that stays, and
 * goes along where another session is shown now; a draft that the host has and the paint had not is put before it.
 * @param show puts the snapshot on screen
 */
export function replacePaint(
  { store, input }: Panel,
  viewState: ViewState,
  truth: SessionView,
  show: () => void,
): void {
  const painted = store.saved.shown.peek();
  const isSame = store.session.id.peek() === truth.id;
  const now = viewState.view;
  const isTyped = !isEqual(draftOf(now), draftOf(painted));
  const isKnown = isEqual(draftOf(truth.saved), draftOf(painted));
  batch(() => {
    show();
    if (!isSame) {
      if (isTyped) input.givenBack.value = givenBack(now);
    } else if (isTyped) {
      if (!isKnown) input.givenBack.value = givenBack(truth.saved);
    } else if (isEqual(now, painted)) {
      if (!isEqual(truth.saved, painted)) store.saved.shown.value = { ...truth.saved };
    } else if (!isKnown) store.saved.shown.value = { ...truth.saved, scroll: now.scroll };
  });
  viewState.release();
}

const givenBack = ({ draft, mentions = [] }: SavedView) => ({
  text: draft,
  attachments: mentions.map(mentionChip),
});

const draftOf = ({ draft, mentions = [] }: SavedView): Omit<SavedView, 'scroll'> => ({
  draft,
  mentions,
});

const isEqual = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);
