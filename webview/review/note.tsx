import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { onlyThis } from './only-this.ts';

interface NoteProps {
  /** `failure`: something did not work. */
  readonly kind: 'failure' | 'note';
  readonly text: string;
  readonly onDismiss: () => void;
  /** A way on, behind the sentence. */
  readonly children?: ComponentChildren;
  /** -1: a list of which the keyboard has one place holds it. */
  readonly tabIndex?: -1;
}

/** A sentence that stays until it is dismissed. */
export function Note({ kind, text, onDismiss, children, ...place }: NoteProps): ComponentChildren {
  return (
    <p class={`review-${kind}`}>
      <Icon name={kind === 'failure' ? 'warning' : 'info'} />
      <span>{text}</span>
      {children}
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={onlyThis(onDismiss)} {...place} />
    </p>
  );
}
