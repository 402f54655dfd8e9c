import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { CopyButton } from '../views/elements/copy-button.tsx';

/** A command as it stands in a terminal, all of its lines. */
export function CommandLine({ command }: { readonly command: string }): ComponentChildren {
  return (
    <div class="command-line">
      <pre tabIndex={0} aria-label={l10n.t('Command')}>
        <span class="prompt" aria-hidden="true">
          {'$ '}
        </span>
        {command}
      </pre>
      <CopyButton text={command} label={l10n.t('Copy the command')} />
    </div>
  );
}
