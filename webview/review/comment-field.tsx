import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../panel.ts';
import { IconButton } from '../views/elements/button.tsx';
import { nameOf } from './review-words.ts';
import { isComposing } from '../keyboard/composition.ts';

/** A comment on a change, for the agent. It stays while the change comes and goes: what is typed is not lost. */
export function CommentField(): ComponentChildren {
  const { review: actions } = usePanel();
  const draft = actions.comment.draft.value;
  if (draft === undefined) return null;
  const { row, text, refused } = draft;
  const about = l10n.t('Comment on {0}, for the agent', nameOf(row));
  return (
    <div class="review-comment">
      <textarea
        key={row.key}
        rows={2}
        maxLength={20_000}
        placeholder={about}
        aria-label={about}
        value={text}
        ref={(element) => {
          if (element !== null && text === '') element.focus();
        }}
        onInput={(event) => actions.comment.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isComposing(event) || event.shiftKey) return;
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') void actions.comment.send();
          else actions.comment.giveUp();
        }}
      />
      <IconButton
        icon="send"
        label={l10n.t('Send the comment (Enter)')}
        disabled={text.trim() === ''}
        onClick={() => void actions.comment.send()}
      />
      <IconButton
        icon="close"
        label={l10n.t('Give it up (Esc)')}
        onClick={() => actions.comment.giveUp()}
      />
      {refused !== '' && <p class="review-failure">{refused}</p>}
    </div>
  );
}
