import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { Markdown } from '../markdown/markdown.tsx';
import { usePanel } from '../panel.ts';
import { Icon } from '../views/elements/icon.tsx';

/** Characters of the tooltip. */
const MAX_TOOLTIP_CHARS = 200;

interface ReasoningProps {
  readonly text: string;
  readonly partKey: string;
  readonly open: boolean;
}

/** Thinking, folded: it is not the answer (D7). */
export function ReasoningPart({ text, partKey, open }: ReasoningProps): ComponentChildren {
  const panel = usePanel();
  const unfolded = panel.conversation.folds.value.get(partKey) ?? false;
  const seconds = panel.conversation.measureThinking(partKey, open, panel.store.clock.now());
  if (text === '' && !open) return null;
  return (
    <div class="reasoning">
      <button
        type="button"
        class="fold"
        aria-expanded={unfolded}
        title={getFirstSentence(text)}
        onClick={() => panel.conversation.fold(partKey, !unfolded)}
      >
        <Icon name={unfolded ? 'chevron-down' : 'chevron-right'} />
        <span class={open ? 'shimmer' : undefined}>
          {open
            ? l10n.t('Thinking…')
            : seconds === undefined
              ? l10n.t('Thought')
              : l10n.t('Thought for {0} s', seconds)}
        </span>
      </button>
      {unfolded && (
        <div class="reasoning-text">
          <Markdown text={text} open={open} context={panel.markdown} />
        </div>
      )}
    </div>
  );
}

/** The first sentence of the thinking, without marks. */
function getFirstSentence(text: string): string {
  const [sentence = ''] = text.trimStart().split(/(?<=[.!?。！？])\s|\n/u, 1);
  return sentence
    .slice(0, MAX_TOOLTIP_CHARS)
    .replaceAll(/[*_`#]/gu, '')
    .trim();
}
