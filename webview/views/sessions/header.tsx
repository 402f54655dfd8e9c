import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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
    id === null ? 'New session' : session.title.value === '' ? 'Untitled' : session.title.value;
  const others = sessions.rows.value.filter((row) => row.id !== id && row.state !== 'idle').length;
  if (page === 'sessions') return <ListHeader panel={panel} />;
  if (page === 'rules') return <RulesHeader panel={panel} />;
  return (
    <header class="header">
      {!renames || id === null ? (
        <h1 class="title">
          <button
            type="button"
            class={`title-button ${others > 0 ? 'has-dot' : ''}`}
            title={`${title} · all sessions (${sessions.total.value})`}
            onClick={() => {
              panel.page.value = 'sessions';
            }}
          >
            <span class="title-text">{title}</span>
            <Icon name="chevron-down" />
          </button>
        </h1>
      ) : (
        <TitleInput sessionId={id} title={title} onDone={() => setRenames(false)} />
      )}
      {id !== null && !renames && (
        <IconButton
          icon="edit"
          class="rename"
          label="Rename this session"
          onClick={() => setRenames(true)}
        />
      )}
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
        label="Back to the conversation (Esc)"
        onClick={toConversation}
      />
      <h1 class="title">Sessions</h1>
      <span class="spring" />
      <IconButton
        icon="add"
        label="New session"
        onClick={() => {
          toConversation();
          panel.host.do('newSession', {});
        }}
      />
    </header>
  );
}

function RulesHeader({ panel }: { readonly panel: Panel }): ComponentChildren {
  return (
    <header class="header">
      <IconButton
        icon="arrow-left"
        label="Back to the conversation (Esc)"
        onClick={() => {
          panel.page.value = 'conversation';
        }}
      />
      <h1 class="title">Permission rules</h1>
    </header>
  );
}
