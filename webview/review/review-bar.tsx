import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel, type Panel } from '../panel.ts';
import { DiffStats } from '../views/elements/diff-stats.tsx';
import { DockRow, type RowProps } from '../views/dock/dock-row.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { ALL } from './review-actions.ts';
import { CommentField } from './comment-field.tsx';
import { GreenQuestion } from './green-question.tsx';
import { Note } from './note.tsx';
import { ReviewList } from './review-list.tsx';
import { takeBackWord } from '../../src/domain/review/decided-words.ts';
import { count, plural } from '../../src/domain/text/language.ts';

/** True while something is pending, or a decision about it has something to say. */
export function hasReviewRow({ store, review }: Panel): boolean {
  const says = review.note.shown.value !== undefined || review.failures.value.size > 0;
  const writes = review.comment.draft.value !== undefined;
  return store.review.value.totals.hunks > 0 || says || writes;
}

/** The pending changes: a row that unfolds into the list. */
export function ReviewBar({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const { review: actions } = panel;
  const view = panel.store.review.value;
  const { hunks, files } = view.totals;
  const isOpen = hunks > 0 && actions.isUnfolded(view);
  const isAsking = panel.evidence.asked.value !== undefined;
  const hasOwn = actions.hasOwn(view);
  return (
    <DockRow
      name={l10n.t('Pending changes')}
      class="review"
      fold={{ isOpen, onToggle: () => actions.unfold(!isOpen) }}
      label={
        hasOwn || hunks === 0
          ? count(hunks, 'change')
          : plural(hunks, '{0} change in other sessions', '{0} changes in other sessions')
      }
      preview={
        <>
          {hasOwn && <span class="review-in">{l10n.t('in {0}', count(files, 'file'))}</span>}
          <DiffStats diff={{ ...view.totals, creates: false }} />
        </>
      }
      title={isOpen ? l10n.t('Hide the changes') : l10n.t('Show the changes')}
      buttons={hunks > 0 && (hasOwn || isOpen) && <DecideAll />}
      more={more}
    >
      {view.elsewhere && hunks > 0 && <DecidedElsewhere />}
      <Notes />
      <CommentField />
      {isOpen && <Tools />}
      <GreenQuestion />
      {isOpen && !isAsking && <ReviewList />}
    </DockRow>
  );
}

function DecideAll(): ComponentChildren {
  const { review: actions } = usePanel();
  const disabled = actions.deciding.value;
  return (
    <>
      <button
        type="button"
        class="button primary review-all"
        title={l10n.t('Keep all changes')}
        disabled={disabled}
        onClick={() => void actions.decideAll('keep')}
      >
        {l10n.t('Keep All')}
      </button>
      <button
        type="button"
        class="link review-all"
        title={l10n.t('Undo all changes')}
        disabled={disabled}
        onClick={() => void actions.decideAll('undo')}
      >
        {l10n.t('Undo All')}
      </button>
    </>
  );
}

/** Tells that the changes are only shown here, and takes them over. */
function DecidedElsewhere(): ComponentChildren {
  const panel = usePanel();
  return (
    <p class="review-note" role="status">
      <Icon name="info" />
      <span>{l10n.t('Another window decides about these changes.')}</span>
      <button type="button" class="link" onClick={() => panel.host.do('takeOverChanges', {})}>
        {l10n.t('Take Over')}
      </button>
    </p>
  );
}

/** A filter of the list, and a decision by what is known. */
function Tools(): ComponentChildren {
  const { review, evidence: actions } = usePanel();
  return (
    <div class="review-tools">
      <button
        type="button"
        class="button secondary"
        aria-pressed={actions.untestedOnly.value}
        title={l10n.t('List only changes that no test run began after')}
        onClick={() => {
          actions.untestedOnly.value = !actions.untestedOnly.peek();
        }}
      >
        <Icon name={actions.untestedOnly.value ? 'filter-filled' : 'filter'} />
        <span>{l10n.t('Not Tested Since')}</span>
      </button>
      <button
        type="button"
        class="button secondary review-green-ask"
        title={l10n.t('Shows what green means and what would be kept, then asks')}
        disabled={review.deciding.value}
        onClick={() => void actions.askGreen()}
      >
        <Icon name="pass" />
        <span>{l10n.t('Keep Green…')}</span>
      </button>
    </div>
  );
}

/** Changes left by a decision, and failures of something that is not on screen. */
function Notes(): ComponentChildren {
  const panel = usePanel();
  const { failures, note } = panel.review;
  const view = panel.store.review.value;
  const { files, groups } = view;
  const unfolded = panel.review.isUnfolded(view);
  const isListed = (key: string): boolean =>
    unfolded &&
    (Object.hasOwn(files, key) ||
      groups.some(({ sessionId, messageId }) => key === `${sessionId} ${messageId}`) ||
      Object.entries(files).some(([file, { hunks }]) =>
        hunks.some(({ id }) => key === `${file} ${id}`),
      ));
  const elsewhere = [...failures.value].filter(([key]) => key === ALL || !isListed(key));
  return (
    <>
      {elsewhere.map(([key, reason]) => (
        <Note key={key} kind="failure" text={reason} onDismiss={() => panel.review.dismiss(key)} />
      ))}
      {note.shown.value !== undefined && (
        <Note
          kind="note"
          text={note.shown.value.text}
          onDismiss={() => {
            note.shown.value = undefined;
          }}
        >
          {note.shown.value.takeBack !== undefined && (
            <button type="button" class="link" onClick={() => void note.takeBack()}>
              {takeBackWord(note.shown.value.takeBack.decision)}
            </button>
          )}
        </Note>
      )}
    </>
  );
}
