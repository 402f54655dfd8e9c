import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { IconButton } from '../views/elements/button.tsx';
import { DiffStats } from '../views/elements/diff-stats.tsx';
import { FileName } from '../views/elements/file-name.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { ago } from '../texts/words.ts';
import { onlyThis } from './only-this.ts';
import { isLooked, placeOf, splitName, wordsOf } from './review-words.ts';
import type { FileRow, HunkRow, RequestRow } from './rows.ts';
import { count } from '../../src/domain/text/language.ts';

/** A row of a request of the person. */
export function RequestLine({
  row: { group, session, open },
  now,
}: {
  readonly row: RequestRow;
  readonly now: number;
}): ComponentChildren {
  const text = group.text === '' ? l10n.t('Changes') : group.text;
  return (
    <>
      <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      <span class="review-words" title={session === null ? text : `${session}: ${text}`}>
        {session !== null && (
          <span class="review-session">{session === '' ? l10n.t('Another session') : session}</span>
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

/** A row of a file. */
export function FileLine({
  row: { file, open },
  onToggle,
}: {
  readonly row: FileRow;
  readonly onToggle: () => void;
}): ComponentChildren {
  const { base, folder } = splitName(file.name);
  const words = wordsOf(file);
  return (
    <>
      {file.hunks.length > 0 ? (
        <IconButton
          icon={open ? 'chevron-down' : 'chevron-right'}
          class="review-fold"
          label={open ? l10n.t('Fold') : l10n.t('Unfold')}
          tabIndex={-1}
          onClick={onlyThis(onToggle)}
        />
      ) : (
        <span class="review-fold" />
      )}
      <span class="review-words" title={[file.name, ...words].join(', ')}>
        <FileName
          class={file.state === 'deleted' ? 'review-file is-deleted' : 'review-file'}
          name={base}
        />
        <span class="review-folder">{folder}</span>
      </span>
      <span class="review-states">
        {words.map((word) => (
          <span key={word} class="review-state">
            {word}
          </span>
        ))}
      </span>
      <span class="review-facts">
        {isLooked(file) && <Icon name="check" label={l10n.t('All looked at')} />}
        <DiffStats diff={{ ...file, creates: file.state === 'created' }} />
      </span>
    </>
  );
}

/** One change, by its place. */
export function HunkLine({ row: { hunk } }: { readonly row: HunkRow }): ComponentChildren {
  return (
    <>
      <span class="review-place">{placeOf(hunk)}</span>
      <span class="review-facts">
        <DiffStats diff={{ ...hunk, creates: hunk.kind === 'create' }} />
        {hunk.edited && (
          <span class="review-state" title={l10n.t('Edited by you')}>
            {l10n.t('edited by you')}
          </span>
        )}
      </span>
    </>
  );
}
