import { batch } from '@preact/signals';
import type { SessionView } from '../../src/protocol/snapshot.ts';
import type { SavedView } from '../../src/protocol/view.ts';
import type { Panel } from '../panel.ts';
import type { ViewState } from '../view-state.ts';
import { mentionChip } from '../views/composer/mentioning.ts';

/**
 * Shows the host's first snapshot. What was typed until then goes into the session that it shows, before the draft of that
 * session.
 * @param show puts the snapshot on screen
 */
export function showFirstSnapshot(
  { store, input }: Panel,
  viewState: ViewState,
  session: SessionView,
  show: () => void,
): void {
  const typed = viewState.view;
  const isNew = session.id === null;
  batch(() => {
    show();
    if (hasDraft(typed)) input.givenBack.value = givenBack(isNew ? session.saved : typed);
    else if (isNew) store.saved.shown.value = { ...session.saved };
  });
  viewState.release();
}

const hasDraft = ({ draft, mentions = [] }: SavedView): boolean =>
  draft !== '' || mentions.length > 0;

const givenBack = ({ draft, mentions = [] }: SavedView) => ({
  text: draft,
  attachments: mentions.map(mentionChip),
});
