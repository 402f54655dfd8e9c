import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CompactionView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { amount } from '../../texts/words.ts';
import { Icon } from '../elements/icon.tsx';

/** Where the model's memory of the conversation becomes a summary. Nothing above it is gone. */
export function Compaction({
  compaction,
}: {
  readonly compaction: CompactionView;
}): ComponentChildren {
  const panel = usePanel();
  const [summary, setSummary] = useState<string>();
  const sessionId = panel.store.session.id.value;
  if (sessionId === null) return null;
  const toggle = async (): Promise<void> => {
    if (summary !== undefined) {
      setSummary(undefined);
      return;
    }
    const answer = await panel.host.ask('loadSummary', { sessionId, compactionId: compaction.id });
    if (answer !== undefined) setSummary(answer.text);
  };
  const { tokensBefore, tokensAfter } = compaction;
  return (
    <div class="compaction" role="group" aria-label={l10n.t('Compacted')}>
      <div class="compaction-line">
        <Icon name="fold" />
        <span
          title={l10n.t(
            'The model now reads a summary of what is above; the messages are all kept.',
          )}
        >
          {l10n.t('Compacted: {0} → {1} tokens', amount(tokensBefore), amount(tokensAfter))}
        </span>
        <button
          type="button"
          class="link"
          aria-expanded={summary !== undefined}
          onClick={() => void toggle()}
        >
          {summary === undefined ? l10n.t('Show summary') : l10n.t('Hide summary')}
        </button>
        <button
          type="button"
          class="link"
          onClick={() =>
            panel.host.do('undoCompaction', { sessionId, compactionId: compaction.id })
          }
        >
          {l10n.t('Undo')}
        </button>
      </div>
      {summary !== undefined && <div class="request-text">{summary}</div>}
    </div>
  );
}
