import type { ComponentChildren } from 'preact';
import { CopyButton } from '../views/elements/copy-button.tsx';

/** A command as it stands in a terminal, all of its lines. */
export function CommandLine({ command }: { readonly command: string }): ComponentChildren {
  return (
    <div class="command-line">
      <pre tabIndex={0} aria-label="Command">
        <span class="prompt" aria-hidden="true">
          {'$ '}
        </span>
        {command}
      </pre>
      <CopyButton text={command} label="Copy the command" />
    </div>
  );
}
