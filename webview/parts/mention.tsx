import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { MentionView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { tokens } from '../texts/words.ts';
import { IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { plural } from '../../src/domain/text/language.ts';

/** Something that a message pointed at; unfolded, the text that the model got of it when it was sent. */
export function MentionPart({
  part,
  partKey,
}: {
  readonly part: MentionView;
  readonly partKey: string;
}): ComponentChildren {
  const panel = usePanel();
  const { mention, text } = part;
  const unfolded = panel.conversation.folds.value.get(partKey) ?? false;
  const rest = text.total - text.text.length;
  return (
    <div class="mentioned">
      <div class="mentioned-head">
        <button
          type="button"
          class="fold"
          aria-expanded={unfolded}
          title={mention.detail}
          onClick={() => panel.conversation.fold(partKey, !unfolded)}
        >
          <Icon name={mention.icon} />
          <span class="name">{mention.label}</span>
          {mention.tokens !== null && <span class="quiet">{tokens(mention.tokens)}</span>}
        </button>
        <IconButton
          icon="go-to-file"
          label={l10n.t('Open {0}', mention.label)}
          onClick={() => panel.host.do('openMention', { mention })}
        />
      </div>
      {unfolded && (
        <pre
          class="mentioned-text"
          tabIndex={0}
          aria-label={l10n.t('What the model got of {0}', mention.label)}
        >
          {text.text}
          {rest > 0 &&
            `\n… ${plural(rest, '{0} more character went to the model', '{0} more characters went to the model')}`}
        </pre>
      )}
    </div>
  );
}
