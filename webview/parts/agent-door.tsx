import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../panel.ts';
import { IconButton } from '../views/elements/button.tsx';

/** The way to what a sub-agent does, and to stop it alone. */
export function AgentDoor({
  agent,
  isAtWork,
}: {
  readonly agent: string;
  readonly isAtWork: boolean;
}): ComponentChildren {
  const { host } = usePanel();
  const button = (icon: string, label: string, act: () => void): ComponentChildren => (
    <IconButton
      icon={icon}
      label={label}
      onClick={(event) => {
        event.stopPropagation();
        act();
      }}
    />
  );
  return (
    <>
      {isAtWork &&
        button('debug-stop', l10n.t('Stop this sub-agent'), () =>
          host.do('stop', { sessionId: agent }),
        )}
      {button('link-external', l10n.t('Open what the sub-agent does'), () =>
        host.do('openSession', { sessionId: agent }),
      )}
    </>
  );
}
