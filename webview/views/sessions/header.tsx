import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isLive } from '../../../src/protocol/snapshot.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { TitleInput } from './title-input.tsx';

/** The session's title, the way to the others, and to a new one. */
export function Header(): ComponentChildren {
  const panel = usePanel();
  const { session, sessions } = panel.store;
  const [renames, setRenames] = useState(false);
  const page = panel.page.value;
  const id = session.id.value;
  const title =
    id === null
      ? l10n.t('New session')
      : session.title.value === ''
        ? l10n.t('Untitled')
        : session.title.value;
  const others = sessions.rows.value.filter((row) => row.id !== id && isLive(row)).length;
  if (page === 'sessions') return <ListHeader panel={panel} />;
  return (
    <header class="header">
      {!renames || id === null ? (
        <h1 class="title">
          <button
            type="button"
            class={`title-button ${others > 0 ? 'has-dot' : ''}`}
            title={l10n.t('{0} · all sessions ({1})', title, sessions.total.value)}
            onClick={() => {
              panel.page.value = 'sessions';
            }}
          >
            <span class="title-text">{title}</span>
            <Icon name="chevron-down" />
          </button>
        </h1>
      ) : (
        <h1 class="title is-renamed">
          <TitleInput sessionId={id} title={title} onDone={() => setRenames(false)} />
        </h1>
      )}
      {id !== null && !renames && (
        <IconButton
          icon="edit"
          class="rename"
          label={l10n.t('Rename this session')}
          onClick={() => setRenames(true)}
        />
      )}
      <span class="spring" />
      <ServerBadge />
    </header>
  );
}

function ListHeader({ panel }: { readonly panel: Panel }): ComponentChildren {
  const toConversation = (): void => {
    panel.page.value = 'conversation';
  };
  return (
    <header class="header">
      <IconButton
        icon="arrow-left"
        label={l10n.t('Back to the conversation (Esc)')}
        onClick={toConversation}
      />
      <h1 class="title">{l10n.t('Sessions')}</h1>
      <span class="spring" />
      <IconButton
        icon="add"
        label={l10n.t('New session')}
        onClick={() => {
          toConversation();
          panel.host.do('newSession', {});
        }}
      />
    </header>
  );
}

/** Servers that do not run although they should: how many, and the way to why. */
function ServerBadge(): ComponentChildren {
  const panel = usePanel();
  const { serverProblems } = panel.store.app.value;
  const [first] = serverProblems;
  if (first === undefined) return null;
  const all = serverProblems.map(({ said }) => said).join('\n');
  return (
    <button
      type="button"
      class="server-badge"
      title={all}
      aria-label={l10n.t('{0} Show MCP servers', `${serverProblems.length}: ${all}`)}
      onClick={() => panel.host.do('openCenter', { section: 'mcp', item: first.server })}
    >
      <Icon name="plug" />
      <span>{serverProblems.length}</span>
    </button>
  );
}
