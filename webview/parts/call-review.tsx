import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../panel.ts';
import { CALL_WORDS } from '../review/review-words.ts';
import { IconButton } from '../views/elements/button.tsx';

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
        {CALL_WORDS[state]}
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
