import * as l10n from '@vscode/l10n';
import type { FinishPart as Finish, FinishReason } from '../../src/domain/message.ts';
import type { ComponentChildren } from 'preact';
import { Icon } from '../views/elements/icon.tsx';

/** Why an answer ended, where that is worth a word. */
export function FinishPart({ part }: { readonly part: Finish }): ComponentChildren {
  const words = wordsFor(part.reason);
  if (words === null) return null;
  return (
    <div class="finish">
      <Icon name={words.icon} />
      <span>
        {words.text}
        {part.detail !== undefined && part.detail !== words.text ? ` ${part.detail}` : ''}
      </span>
    </div>
  );
}

function wordsFor(reason: FinishReason): { readonly icon: string; readonly text: string } | null {
  switch (reason) {
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
    case 'pause':
    case 'unknown':
    case 'permission_denied': // the card of the call says it
      return null;
    case 'max_tokens':
      return { icon: 'fold-down', text: l10n.t('Cut off: the answer reached its length limit.') };
    case 'context_window':
      return { icon: 'fold-down', text: l10n.t('Cut off: the context window is full.') };
    case 'refusal':
      return { icon: 'circle-slash', text: l10n.t('The model declined to answer.') };
    case 'canceled':
      return { icon: 'debug-stop', text: l10n.t('Stopped.') };
    case 'failed':
      return { icon: 'warning', text: l10n.t('Broken off.') };
    default:
      return reason satisfies never;
  }
}
