import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { ReviewView } from '../../src/protocol/review-view.ts';
import { usePanel } from '../panel.ts';
import { DiffStats } from '../views/elements/diff-stats.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { ALL } from './review-actions.ts';
import { CommentField } from './comment-field.tsx';
import { DuringCommands } from './during-commands.tsx';
import { GreenQuestion } from './green-question.tsx';
import { Note } from './note.tsx';
import { ReviewList } from './review-list.tsx';
import { takeBackWord } from '../../src/domain/review/decided-words.ts';
import { count, plural } from '../../src/domain/text/language.ts';

/** The pending changes, above the input; unfolds into the list. Nothing pending: nothing shown. */
export function ReviewBar(): ComponentChildren {
  const panel = usePanel();
  const view = panel.store.review.value;
  const { totals, during } = view;
  const unfolded = panel.review.isUnfolded(view);
  const asks = panel.evidence.asked.value !== undefined;
  const writes = panel.review.comment.draft.value !== undefined;
  const says = panel.review.note.shown.value !== undefined || panel.review.failures.value.size > 0;
  if (totals.hunks === 0 && during.length === 0 && !writes && !says) return null;
  return (
    <section class="review" aria-label={l10n.t('Pending changes')}>
      {totals.hunks > 0 && <Summary view={view} unfolded={unfolded} />}
      {view.elsewhere && totals.hunks > 0 && <DecidedElsewhere />}
      <Notes />
      <CommentField />
      {totals.hunks > 0 && unfolded && <Tools />}
      <GreenQuestion />
      {totals.hunks > 0 && unfolded && !asks && <ReviewList />}
      {during.length > 0 && <DuringCommands groups={during} />}
    </section>
  );
}

function Summary({
  view,
  unfolded,
}: {
  readonly view: ReviewView;
  readonly unfolded: boolean;
}): ComponentChildren {
  const { review: actions } = usePanel();
  const { hunks, files } = view.totals;
  const hasOwn = actions.hasOwn(view);
  const disabled = actions.deciding.value;
  return (
    <div class="review-bar">
      <button
        type="button"
        class="review-show"
        aria-expanded={unfolded}
        title={unfolded ? l10n.t('Hide the changes') : l10n.t('Show the changes')}
        onClick={() => actions.unfold(!unfolded)}
      >
        <Icon name={unfolded ? 'chevron-down' : 'chevron-right'} />
        <span class="review-total">
          {hasOwn
            ? count(hunks, 'change')
            : plural(hunks, '{0} change in other sessions', '{0} changes in other sessions')}
          {hasOwn && <span class="review-in">{` ${l10n.t('in {0}', count(files, 'file'))}`}</span>}
        </span>
        <DiffStats diff={{ ...view.totals, creates: false }} />
      </button>
      {(hasOwn || unfolded) && (
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
      )}
    </div>
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
