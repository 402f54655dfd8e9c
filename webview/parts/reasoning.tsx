import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { Markdown } from '../markdown/markdown.tsx';
import { usePanel } from '../panel.ts';
import { Icon } from '../views/elements/icon.tsx';

interface ReasoningProps {
  readonly text: string;
  readonly partKey: string;
  readonly open: boolean;
}

/** Thinking, folded: it is not the answer (D7). */
export function ReasoningPart({ text, partKey, open }: ReasoningProps): ComponentChildren {
  const panel = usePanel();
  const unfolded = panel.conversation.folds.value.get(partKey) ?? false;
  if (text === '' && !open) return null;
  return (
    <div class="reasoning">
      <button
        type="button"
        class="fold"
        aria-expanded={unfolded}
        onClick={() => panel.conversation.fold(partKey, !unfolded)}
      >
        <Icon name={unfolded ? 'chevron-down' : 'chevron-right'} />
        <span class={open ? 'shimmer' : undefined}>
          {open ? l10n.t('Thinking…') : l10n.t('Thought')}
        </span>
        {!unfolded && <span class="preview">{lastLine(text)}</span>}
      </button>
      {unfolded && (
        <div class="reasoning-text">
          <Markdown text={text} open={open} context={panel.markdown} />
        </div>
      )}
    </div>
  );
}

/** The end of the thinking, as one line. */
function lastLine(text: string): string {
  return (
    text
      .slice(-160)
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replaceAll(/[*_`#]/gu, '') ?? ''
  );
}
