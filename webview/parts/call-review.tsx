import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { CallReview as CallReviewState } from '../../src/protocol/review-view.ts';
import { usePanel } from '../panel.ts';
import { CALL_WORDS } from '../review/review-words.ts';
import { IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';

/** They stand for the words where there is no room. */
const ICONS: Readonly<Record<CallReviewState, string>> = {
  pending: 'circle-small-filled',
  kept: 'check',
  undone: 'discard',
  partly: 'check-all',
};

/** The outcome of a call's changes: a word, and the way to those that are pending. */
export function CallReview({ callId }: { readonly callId: string }): ComponentChildren {
  const panel = usePanel();
  // Of the many lists that come while the agent works only those that say something else count.
  const state = useComputed(() => {
    const { calls } = panel.store.review.value;
    return Object.hasOwn(calls, callId) ? calls[callId] : undefined;
  }).value;
  if (state === undefined) return null;
  return (
    <>
      <span class={`call-review is-${state}`} title={l10n.t('Its changes: {0}', CALL_WORDS[state])}>
        <Icon name={ICONS[state]} />
        <span class="word">{CALL_WORDS[state]}</span>
      </span>
      {state === 'pending' && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Show change')}
          onClick={(event) => {
            event.stopPropagation();
            panel.host.do('openCallChange', { callId });
          }}
        />
      )}
    </>
  );
}
