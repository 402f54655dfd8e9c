import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ChangeEvidence } from '../../src/domain/review/evidence.ts';
import { doubtText, evidenceFacts, evidenceLines } from '../../src/domain/review/evidence-words.ts';
import type { EvidenceMark } from '../../src/protocol/review-view.ts';
import { usePanel } from '../panel.ts';
import { Icon } from '../views/elements/icon.tsx';
import { onlyThis } from './only-this.ts';
import { markWords } from './review-words.ts';
import type { HunkRow } from './rows.ts';

const PROBLEM_ICONS: Readonly<Record<EvidenceMark['problems'], string>> = {
  none: 'check',
  new: 'error',
  unknown: 'question',
};

/** The evidence of a change in one line; a click shows all of it. */
export function EvidenceLine({
  row,
  onToggle,
}: {
  readonly row: HunkRow;
  readonly onToggle: () => void;
}): ComponentChildren {
  const { evidence } = row.hunk;
  if (evidence === null) return null;
  const [problems, tests] = markWords(evidence);
  // One reason for several changes in a row is said once.
  const isRepeated = row.file.hunks[row.position - 2]?.evidence?.said === evidence.said;
  return (
    <button
      type="button"
      class="review-evidence-line"
      tabIndex={-1}
      aria-expanded={row.open}
      title={
        row.open
          ? l10n.t('Hide why it was made')
          : l10n.t('Why it was made, and what was found out about it')
      }
      onClick={onlyThis(onToggle)}
    >
      <Icon name={row.open ? 'chevron-down' : 'chevron-right'} />
      <span class={`review-mark is-${evidence.problems}`} title={problems}>
        <Icon name={PROBLEM_ICONS[evidence.problems]} />
        <span>{problems}</span>
      </span>
      <span class={`review-mark is-${evidence.tests}`} title={tests}>
        <Icon name="beaker" />
        <span>{tests}</span>
      </span>
      <span class="review-said">
        {evidence.said === '' || isRepeated ? l10n.t('Why?') : evidence.said}
      </span>
    </button>
  );
}

/** Everything that is on record about a change. */
export function EvidenceDetails({ row }: { readonly row: HunkRow }): ComponentChildren {
  const panel = usePanel();
  const [found, setFound] = useState<ChangeEvidence | string>();
  const { path } = row.file;
  const { id: hunkId, evidence } = row.hunk;
  useEffect(() => {
    let isShown = true;
    const ask = async (): Promise<void> => {
      const answer = await panel.host.attempt('changeEvidence', { path, hunkId });
      if (!isShown) return;
      const value = 'refused' in answer ? answer.refused : answer.value;
      setFound(value);
      const words = typeof value === 'string' ? value : evidenceLines(value).join(' ');
      if (found === undefined) panel.announcement.value = words;
    };
    void ask();
    return () => {
      isShown = false;
    };
  }, [path, hunkId, JSON.stringify(evidence)]);
  if (found === undefined) return null;
  if (typeof found === 'string') return <p class="review-evidence">{found}</p>;
  return (
    <div class="review-evidence" onClick={onlyThis(() => undefined)}>
      <dl>
        {evidenceFacts(found).map(({ title, text }) => (
          <div key={`${title} ${text}`}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>{l10n.t('Green')}</dt>
          <dd>
            {found.doubts.length === 0
              ? l10n.t('yes')
              : l10n.t('no: {0}', found.doubts.map(doubtText).join('; '))}
          </dd>
        </div>
      </dl>
      {found.request.messageId !== '' && (
        <button
          type="button"
          class="link"
          tabIndex={-1}
          title={l10n.t('The message that it answers (M)')}
          onClick={() => void panel.evidence.showMessage(row)}
        >
          {l10n.t('Show the message')}
        </button>
      )}
    </div>
  );
}
