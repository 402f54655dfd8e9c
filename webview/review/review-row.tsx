import * as l10n from '@vscode/l10n';
import { Component, type ComponentChildren } from 'preact';
import { DiffLines } from '../views/elements/diff-lines.tsx';
import { EvidenceDetails, EvidenceLine } from './evidence.tsx';
import type { ReviewActions } from './review-actions.ts';
import { Note } from './note.tsx';
import { ReviewButtons } from './review-buttons.tsx';
import { FileLine, HunkLine, RequestLine } from './review-lines.tsx';
import { labelOf } from './review-words.ts';
import type { ActiveRow } from './rows.ts';

const KEYS: Readonly<Record<ActiveRow['type'], string>> = {
  request: 'Enter A X M',
  file: 'Enter A X Space M',
  hunk: 'Enter A X C Space M',
};

interface ReviewRowProps {
  readonly row: ActiveRow;
  /** The one that the keyboard is at. */
  readonly active: boolean;
  readonly deciding: boolean;
  readonly failure: string | undefined;
  readonly actions: ReviewActions;
  readonly now: number;
  readonly onToggle: (row: ActiveRow) => void;
  readonly onActive: (key: string) => void;
}

/** A row; rendered again only when something of it is different. */
export class ReviewRowView extends Component<ReviewRowProps> {
  override shouldComponentUpdate(next: ReviewRowProps): boolean {
    const { row, active, deciding, failure } = this.props;
    return (
      active !== next.active ||
      deciding !== next.deciding ||
      failure !== next.failure ||
      !isSame(row, next.row)
    );
  }

  override render(): ComponentChildren {
    const { row, active, deciding, failure, actions, onActive } = this.props;
    return (
      <div
        class={`review-row is-${row.type}${row.type === 'hunk' && row.hunk.looked ? ' is-looked' : ''}`}
        data-row={row.key}
        role="treeitem"
        tabIndex={active ? 0 : -1}
        aria-level={row.level}
        aria-posinset={row.position}
        aria-setsize={row.siblings}
        aria-expanded={row.open}
        aria-checked={row.type === 'hunk' ? row.hunk.looked : undefined}
        aria-keyshortcuts={KEYS[row.type]}
        onFocus={() => onActive(row.key)}
        onClick={(event) => {
          // Of a double click the second half would hit what has come into this place.
          if (event.detail < 2) this.#clicked();
        }}
      >
        <div class="review-line">
          <span class="unseen">{labelOf(row)}</span>
          {/* Said by the words before it. */}
          <span class="review-seen" aria-hidden="true">
            {row.type === 'request' && <RequestLine row={row} now={this.props.now} />}
            {row.type === 'file' && (
              <FileLine row={row} onToggle={() => this.props.onToggle(row)} />
            )}
            {row.type === 'hunk' && <HunkLine row={row} />}
          </span>
          <ReviewButtons row={row} deciding={deciding} actions={actions} />
        </div>
        {row.type === 'hunk' && !row.hunk.looked && row.hunk.preview.length > 0 && (
          <DiffLines lines={row.hunk.preview} of={row.hunk} label={l10n.t('First lines')} still />
        )}
        {row.type === 'hunk' && (
          <EvidenceLine row={row} onToggle={() => this.props.onToggle(row)} />
        )}
        {row.type === 'hunk' && row.open && <EvidenceDetails row={row} />}
        {failure !== undefined && (
          <Note
            kind="failure"
            text={failure}
            tabIndex={-1}
            onDismiss={() => actions.dismiss(row.key)}
          />
        )}
      </div>
    );
  }

  #clicked(): void {
    const { row, actions, onToggle } = this.props;
    if (row.type === 'request') onToggle(row);
    else void actions.open(row);
  }
}

/** Rows are made anew with each list; what they are about is the same object when it is the same. */
function isSame(one: ActiveRow, other: ActiveRow): boolean {
  const keys = Object.keys(one) as (keyof ActiveRow)[];
  return keys.every((key) => one[key] === other[key]);
}
