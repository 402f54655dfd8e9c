import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { IconButton } from '../views/elements/button.tsx';
import { onlyThis } from './only-this.ts';
import type { ReviewActions } from './review-actions.ts';
import { nameOf } from './review-words.ts';
import type { ActiveRow, HunkRow, RequestRow } from './rows.ts';

interface RowActions<Row> {
  readonly row: Row;
  readonly actions: ReviewActions;
}

/** Buttons of a row, for the pointer; the keyboard has keys. */
export function ReviewButtons({
  row,
  deciding,
  actions,
}: RowActions<ActiveRow> & { readonly deciding: boolean }): ComponentChildren {
  const decide = (decision: 'keep' | 'undo') =>
    onlyThis((event) => {
      // Of a double click the second half would hit what has come into this place.
      if (event.detail < 2) void actions.decideRow(decision, row);
    });
  const what = row.type === 'hunk' ? l10n.t('this change') : nameOf(row);
  return (
    <span class="review-buttons" role="group" aria-label={l10n.t('Decide')}>
      {row.type === 'request' && <ShowAll row={row} actions={actions} />}
      {row.type === 'hunk' && <Comment row={row} actions={actions} />}
      {row.type === 'hunk' && <Looked row={row} actions={actions} />}
      <IconButton
        icon="check"
        class="review-keep"
        label={l10n.t('Keep {0} (A)', what)}
        tabIndex={-1}
        disabled={deciding}
        onClick={decide('keep')}
      />
      <IconButton
        icon="discard"
        class="review-undo"
        label={l10n.t('Undo {0} (X)', what)}
        tabIndex={-1}
        disabled={deciding}
        onClick={decide('undo')}
      />
    </span>
  );
}

function ShowAll({ row, actions }: RowActions<RequestRow>): ComponentChildren {
  return (
    <IconButton
      icon="diff-multiple"
      label={l10n.t('Show all changes of this request (Enter)')}
      tabIndex={-1}
      onClick={onlyThis(() => void actions.open(row))}
    />
  );
}

function Comment({ row, actions }: RowActions<HunkRow>): ComponentChildren {
  return (
    <IconButton
      icon="comment"
      class="review-say"
      label={l10n.t('Comment for the agent (C)')}
      tabIndex={-1}
      onClick={onlyThis(() => actions.comment.begin(row))}
    />
  );
}

function Looked({ row, actions }: RowActions<HunkRow>): ComponentChildren {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={row.hunk.looked}
      title={l10n.t('Looked at (Space)')}
      aria-label={l10n.t('Looked at')}
      onClick={onlyThis((event) => {
        // The host says whether it is marked.
        event.preventDefault();
        void actions.look(row);
      })}
    />
  );
}
