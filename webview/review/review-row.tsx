import { Component, type ComponentChildren } from 'preact';
import { IconButton } from '../views/button.tsx';
import { DiffLines } from '../views/diff-lines.tsx';
import { DiffStats } from '../views/diff-stats.tsx';
import { Icon } from '../views/icon.tsx';
import { ago, count } from '../words.ts';
import type { ReviewActions } from './review-actions.ts';
import {
  CONFLICT,
  GONE,
  isLooked,
  labelOf,
  nameOf,
  placeOf,
  splitName,
  warningOf,
  wordsOf,
} from './review-words.ts';
import type { ActiveRow, FileRow, HunkRow, RequestRow } from './rows.ts';

const KEYS: Readonly<Record<ActiveRow['type'], string>> = {
  request: 'Enter A X',
  file: 'Enter A X Space',
  hunk: 'Enter A X C Space',
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
    const { row, active, failure, actions, onActive } = this.props;
    return (
      <div
        class={`review-row is-${row.type}${row.type === 'hunk' && row.hunk.looked ? ' is-looked' : ''}`}
        data-row={row.key}
        role="treeitem"
        tabIndex={active ? 0 : -1}
        aria-level={row.level}
        aria-posinset={row.position}
        aria-setsize={row.siblings}
        aria-expanded={row.type === 'hunk' ? undefined : row.open}
        aria-checked={row.type === 'hunk' ? row.hunk.looked : undefined}
        aria-label={labelOf(row)}
        aria-keyshortcuts={KEYS[row.type]}
        onFocus={() => onActive(row.key)}
        onClick={(event) => {
          // Of a double click the second half would hit what has come into this place.
          if (event.detail < 2) this.#clicked();
        }}
      >
        <div class="review-line">
          {row.type === 'request' && <RequestLine row={row} now={this.props.now} />}
          {row.type === 'file' && <FileLine row={row} onToggle={() => this.props.onToggle(row)} />}
          {row.type === 'hunk' && <HunkLine row={row} />}
          <Buttons {...this.props} />
        </div>
        {row.type === 'hunk' && !row.hunk.looked && row.hunk.preview.length > 0 && (
          <DiffLines lines={row.hunk.preview} label="First lines" still />
        )}
        {failure !== undefined && (
          <p class="review-failure">
            <Icon name="warning" />
            <span>{failure}</span>
            <IconButton
              icon="close"
              label="Dismiss"
              tabIndex={-1}
              onClick={(event) => {
                event.stopPropagation();
                actions.dismiss(row.key);
              }}
            />
          </p>
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

function RequestLine({
  row: { group, session, open },
  now,
}: {
  readonly row: RequestRow;
  readonly now: number;
}): ComponentChildren {
  const text = group.text === '' ? 'Changes' : group.text;
  return (
    <>
      <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      <span class="review-words" title={session === null ? text : `${session}: ${text}`}>
        {session !== null && (
          <span class="review-session">{session === '' ? 'Another session' : session}</span>
        )}
        <span class="review-text">{text}</span>
      </span>
      <span class="review-facts">
        <span class="review-count">{count(group.count, 'change')}</span>
        <DiffStats diff={{ ...group, creates: false }} />
        {group.at > 0 && <time>{ago(group.at, now)}</time>}
      </span>
    </>
  );
}

function FileLine({
  row: { file, open },
  onToggle,
}: {
  readonly row: FileRow;
  readonly onToggle: () => void;
}): ComponentChildren {
  const { base, folder } = splitName(file.name);
  const warning = warningOf(file);
  return (
    <>
      {file.hunks.length > 0 ? (
        <IconButton
          icon={open ? 'chevron-down' : 'chevron-right'}
          class="review-fold"
          label={open ? 'Fold' : 'Unfold'}
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        />
      ) : (
        <span class="review-fold" />
      )}
      <span class="review-words" title={file.name}>
        <span class={file.state === 'deleted' ? 'review-file is-deleted' : 'review-file'}>
          {base}
        </span>
        <span class="review-folder">{folder}</span>
      </span>
      <span class="review-facts">
        {isLooked(file) && <Icon name="check" label="All looked at" />}
        <DiffStats diff={{ ...file, creates: file.state === 'created' }} />
      </span>
      <span class="review-states">
        {warning !== '' && (
          <span class="review-warning" title={file.gone ? GONE : CONFLICT}>
            {warning}
          </span>
        )}
        {wordsOf(file).map((word) => (
          <span key={word} class="review-state" title={word}>
            {word}
          </span>
        ))}
      </span>
    </>
  );
}

function HunkLine({ row: { hunk } }: { readonly row: HunkRow }): ComponentChildren {
  return (
    <>
      <span class="review-place">{placeOf(hunk)}</span>
      <span class="review-facts">
        <DiffStats diff={{ ...hunk, creates: hunk.kind === 'create' }} />
        {hunk.edited && (
          <span class="review-state" title="Edited by you">
            edited by you
          </span>
        )}
        {hunk.conflict && (
          <span class="review-warning" title={CONFLICT}>
            conflict
          </span>
        )}
      </span>
    </>
  );
}

/** For the pointer; the keyboard has keys. */
function Buttons({ row, deciding, actions }: ReviewRowProps): ComponentChildren {
  const decide = (decision: 'accept' | 'reject') => (event: MouseEvent) => {
    event.stopPropagation();
    if (event.detail < 2) void actions.decideRow(decision, row);
  };
  const what = row.type === 'hunk' ? 'this change' : nameOf(row);
  return (
    <span class="review-buttons">
      {row.type === 'request' && (
        <IconButton
          icon="diff-multiple"
          label="Show all changes of this request (Enter)"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            void actions.open(row);
          }}
        />
      )}
      {row.type === 'hunk' && (
        <IconButton
          icon="comment"
          class="review-say"
          label="Comment for the agent (C)"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            actions.begin(row);
          }}
        />
      )}
      {row.type === 'hunk' && (
        <input
          type="checkbox"
          tabIndex={-1}
          checked={row.hunk.looked}
          title="Looked at (Space)"
          aria-label="Looked at"
          onClick={(event) => {
            event.stopPropagation();
            // The host says whether it is marked.
            event.preventDefault();
            void actions.look(row);
          }}
        />
      )}
      <IconButton
        icon="check"
        class="review-accept"
        label={`Accept ${what} (A)`}
        tabIndex={-1}
        disabled={deciding}
        onClick={decide('accept')}
      />
      <IconButton
        icon="discard"
        class="review-reject"
        label={`Reject ${what} (X)`}
        tabIndex={-1}
        disabled={deciding}
        onClick={decide('reject')}
      />
    </span>
  );
}
