import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isLive, type SessionRow } from '../../../src/protocol/snapshot.ts';
import { usePanel } from '../../panel.ts';
import { ago, count } from '../../texts/words.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { Menu } from '../elements/menu.tsx';
import type { Selection } from './selection.ts';
import { TitleInput } from './title-input.tsx';

const STATES: Readonly<
  Record<SessionRow['state'], { readonly icon: string; readonly label: string }>
> = {
  idle: { icon: 'comment-discussion', label: '' },
  running: { icon: 'loading', label: l10n.t('running') },
  background: { icon: 'server-process', label: l10n.t('runs in the background') },
  turn: { icon: 'clock', label: l10n.t('waits for its turn') },
  approval: { icon: 'shield', label: l10n.t('waits for your approval') },
  question: { icon: 'question', label: l10n.t('asks you something') },
  unfinished: { icon: 'debug-disconnect', label: l10n.t('interrupted') },
  failed: { icon: 'error', label: l10n.t('failed') },
};

const MORE = [
  { value: 'editor', label: l10n.t('Open in Editor'), icon: 'go-to-file' },
  { value: 'beside', label: l10n.t('Open to the Side'), icon: 'split-horizontal' },
  { value: 'rename', label: l10n.t('Rename'), keys: 'F2', icon: 'edit' },
  { value: 'export', label: l10n.t('Export…'), icon: 'export' },
] as const;

interface ItemProps {
  readonly row: SessionRow;
  readonly selection: Selection;
  /** Deletes these. */
  readonly onDelete: (ids: readonly string[]) => void;
  /** The hits of a search in it. */
  readonly children?: ComponentChildren;
}

/** A session of the list. */
export function SessionItem({ row, selection, onDelete, children }: ItemProps): ComponentChildren {
  const panel = usePanel();
  const [renames, setRenames] = useState(false);
  const current = row.id === panel.store.session.id.value;
  const title = titleOf(row);
  const selected = selection.has(row.id);
  if (renames) {
    return (
      <li class="session">
        <TitleInput sessionId={row.id} title={title} onDone={() => setRenames(false)} />
      </li>
    );
  }
  return (
    <li
      data-row={row.id}
      class={`session is-${row.state} ${current ? 'is-current' : ''} ${selected ? 'is-selected' : ''}`}
    >
      <div class="session-line">
        <button
          type="button"
          class="session-open"
          data-session={row.id}
          aria-current={current}
          title={title}
          onClick={(event) => {
            if (selection.click(row.id, event)) return;
            panel.page.value = 'conversation';
            if (!current) panel.host.do('openSession', { sessionId: row.id });
          }}
          onKeyDown={(event) => {
            if (event.key === 'F2') setRenames(true);
            else if (event.key === 'Delete') onDelete(selected ? selection.ids : [row.id]);
          }}
        >
          <Bead row={row} />
          <Words row={row} title={title} />
        </button>
        <input
          type="checkbox"
          class="session-check"
          checked={selected}
          aria-label={l10n.t('Select {0}', title)}
          title={l10n.t('Select (Ctrl+Space)')}
          onClick={(event) => selection.toggle(row.id, event.shiftKey)}
        />
        <Buttons row={row} onRename={() => setRenames(true)} onDelete={() => onDelete([row.id])} />
      </div>
      {children}
    </li>
  );
}

export const titleOf = ({ title }: SessionRow): string =>
  title === '' ? l10n.t('Untitled') : title;

function Bead({ row: { state } }: { readonly row: SessionRow }): ComponentChildren {
  const spin = state === 'running' ? ' codicon-modifier-spin' : '';
  return <Icon name={STATES[state].icon} class={`bead${spin}`} />;
}

function Words({
  row,
  title,
}: {
  readonly row: SessionRow;
  readonly title: string;
}): ComponentChildren {
  const now = usePanel().store.clock.now();
  const facts = [
    STATES[row.state].label,
    row.archived === true && isLive(row) ? l10n.t('archived') : '',
    ago(row.updatedAt, now),
    count(row.messageCount, 'message'),
  ];
  return (
    <span class="session-words">
      <span class="session-title">{title}</span>
      <span class="session-facts">{facts.filter((fact) => fact !== '').join(' · ')}</span>
    </span>
  );
}

interface ButtonsProps {
  readonly row: SessionRow;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function Buttons({ row, onRename, onDelete }: ButtonsProps): ComponentChildren {
  const panel = usePanel();
  const { pinned = false, archived = false } = row;
  const sessionIds = [row.id];
  return (
    <span class="session-buttons">
      <IconButton
        icon={pinned ? 'pinned' : 'pin'}
        label={pinned ? l10n.t('Unpin') : l10n.t('Pin')}
        onClick={() => panel.host.do('markSessions', { sessionIds, pinned: !pinned })}
      />
      <IconButton
        icon={archived ? 'inbox' : 'archive'}
        label={archived ? l10n.t('Take out of the archive') : l10n.t('Archive')}
        onClick={() => panel.host.do('markSessions', { sessionIds, archived: !archived })}
      />
      <IconButton icon="trash" label={l10n.t('Delete (Del)')} onClick={onDelete} />
      <Menu
        label={l10n.t('More')}
        class="icon-button"
        items={MORE}
        onPick={(picked) => {
          if (picked === 'rename') onRename();
          else if (picked === 'export') panel.host.do('exportSession', { sessionId: row.id });
          else panel.host.do('openInEditor', { sessionId: row.id, beside: picked === 'beside' });
        }}
      >
        <Icon name="ellipsis" />
      </Menu>
    </span>
  );
}
