import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CompactionView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { amount } from '../../words.ts';
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
    <div class="compaction" role="separator" aria-label="Compacted">
      <div class="compaction-line">
        <Icon name="fold" />
        <span title="The model now reads a summary of what is above; the messages are all kept.">
          {`Compacted: ${amount(tokensBefore)} → ${amount(tokensAfter)} tokens`}
        </span>
        <button
          type="button"
          class="link"
          aria-expanded={summary !== undefined}
          onClick={() => void toggle()}
        >
          {summary === undefined ? 'Show summary' : 'Hide summary'}
        </button>
        <button
          type="button"
          class="link"
          onClick={() =>
            panel.host.do('undoCompaction', { sessionId, compactionId: compaction.id })
          }
        >
          Undo
        </button>
      </div>
      {summary !== undefined && <div class="request-text">{summary}</div>}
    </div>
  );
}
