import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../../../src/protocol/snapshot.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { ago } from '../../words.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { TitleInput } from './title-input.tsx';
import { count } from '../../../src/domain/text/language.ts';

/** Full-text search begins when typing pauses this long, in milliseconds. */
const PAUSE = 200;

/** All sessions: search, open, rename, export, delete. */
export function SessionList(): ComponentChildren {
  const panel = usePanel();
  const { session } = panel.store;
  const { rows, total, error } = panel.store.sessions;
  const [query, setQuery] = useState('');
  const [all, setAll] = useState<readonly SessionRow[]>([]);
  const hits = useSearch(panel, query.trim());
  useEffect(() => {
    if (total.peek() > rows.peek().length) {
      void panel.host.ask('listSessions', {}).then((answer) => setAll(answer?.rows ?? []));
    }
  }, []);
  const list = useRef<HTMLUListElement>(null);
  const found = matching(merged(all, rows.value), query.trim(), hits);
  return (
    <section
      class="sessions"
      aria-label={l10n.t('Sessions')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        panel.page.value = 'conversation';
      }}
    >
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          value={query}
          placeholder={l10n.t('Search titles and messages')}
          aria-label={l10n.t('Search sessions')}
          ref={(element) => {
            if (element !== null && !document.querySelector('.sessions :focus')) element.focus();
          }}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown')
              list.current?.querySelector<HTMLElement>('.session-open')?.focus();
          }}
        />
      </div>
      {error.value !== null && (
        <p class="caution" role="alert">
          {l10n.t('The list could not be read: {0}', error.value)}
        </p>
      )}
      {found.length === 0 && error.value === null && (
        <p class="quiet none">
          {query === '' ? l10n.t('No sessions yet.') : l10n.t('Nothing found.')}
        </p>
      )}
      <ul class="session-rows" ref={list} onKeyDown={(event) => walk(event, list.current)}>
        {grouped(found, panel.store.clock.now()).map(({ label, rows: group }) => (
          <li key={label} class="session-group">
            <h2>{label}</h2>
            <ul>
              {group.map(({ row, excerpt }) => (
                <SessionItem
                  key={row.id}
                  row={row}
                  excerpt={excerpt}
                  current={row.id === session.id.value}
                />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <footer>
        <Button icon="cloud-download" onClick={() => void importSession(panel)}>
          {l10n.t('Import…')}
        </Button>
        <span class="quiet">{count(total.value, 'session')}</span>
      </footer>
    </section>
  );
}

async function importSession(panel: Panel): Promise<void> {
  const before = panel.store.session.id.peek();
  await panel.host.ask('importSession', {});
  if (panel.store.session.id.peek() !== before) panel.page.value = 'conversation';
}

interface Found {
  readonly row: SessionRow;
  readonly excerpt: string;
}

/** Live rows are newer than those that were loaded with the whole list. */
function merged(all: readonly SessionRow[], live: readonly SessionRow[]): SessionRow[] {
  const byId = new Map(all.map((row) => [row.id, row]));
  for (const row of live) byId.set(row.id, row);
  return [...byId.values()].toSorted((left, right) => right.updatedAt - left.updatedAt);
}

function matching(
  rows: readonly SessionRow[],
  query: string,
  hits: ReadonlyMap<string, string>,
): Found[] {
  if (query === '') return rows.map((row) => ({ row, excerpt: '' }));
  const words = query.toLowerCase().split(/\s+/u);
  return rows.flatMap((row) => {
    const title = row.title.toLowerCase();
    const excerpt = hits.get(row.id);
    if (words.every((word) => title.includes(word))) return [{ row, excerpt: '' }];
    return excerpt === undefined ? [] : [{ row, excerpt }];
  });
}

/** Findings of the full-text search, by session. */
function useSearch(panel: Panel, query: string): ReadonlyMap<string, string> {
  const [hits, setHits] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (query.length < 2) {
      setHits(new Map());
      return undefined;
    }
    let current = true;
    const search = async (): Promise<void> => {
      const answer = await panel.host.ask('searchSessions', { query });
      // The first hit of a session is its best.
      const best = answer?.hits.toReversed().map((hit) => [hit.sessionId, hit.excerpt] as const);
      if (current && best !== undefined) setHits(new Map(best));
    };
    const timer = setTimeout(() => {
      void search();
    }, PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query]);
  return hits;
}

function grouped(
  found: readonly Found[],
  now: number,
): { readonly label: string; readonly rows: readonly Found[] }[] {
  const day = 24 * 3_600_000;
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groups = [
    { label: l10n.t('Today'), from: midnight },
    { label: l10n.t('Yesterday'), from: midnight - day },
    { label: l10n.t('Last 7 days'), from: midnight - 6 * day },
    { label: l10n.t('Older'), from: Number.NEGATIVE_INFINITY },
  ];
  let before = Number.POSITIVE_INFINITY;
  return groups.flatMap(({ label, from }) => {
    const upTo = before;
    before = from;
    const rows = found.filter(({ row }) => row.updatedAt >= from && row.updatedAt < upTo);
    return rows.length === 0 ? [] : [{ label, rows }];
  });
}

/** Arrow keys move from row to row. */
function walk(event: KeyboardEvent, list: HTMLElement | null): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const items = [...(list?.querySelectorAll<HTMLElement>('.session-open') ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  if (at === -1) return;
  event.preventDefault();
  const next = items[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) document.querySelector<HTMLElement>('.search input')?.focus();
  else next.focus();
}

const STATES: Readonly<
  Record<SessionRow['state'], { readonly icon: string; readonly label: string }>
> = {
  idle: { icon: 'comment-discussion', label: '' },
  running: { icon: 'loading', label: l10n.t('running') },
  approval: { icon: 'shield', label: l10n.t('waits for your approval') },
  question: { icon: 'question', label: l10n.t('asks you something') },
  unfinished: { icon: 'debug-disconnect', label: l10n.t('interrupted') },
};

interface ItemProps {
  readonly row: SessionRow;
  readonly excerpt: string;
  readonly current: boolean;
}

function SessionItem({ row, excerpt, current }: ItemProps): ComponentChildren {
  const panel = usePanel();
  const [asks, setAsks] = useState<'delete' | 'title'>();
  const title = row.title === '' ? l10n.t('Untitled') : row.title;
  const { icon, label } = STATES[row.state];
  const open = (): void => {
    panel.page.value = 'conversation';
    if (!current) panel.host.do('openSession', { sessionId: row.id });
  };
  if (asks === 'title') {
    return (
      <li class="session">
        <TitleInput sessionId={row.id} title={title} onDone={() => setAsks(undefined)} />
      </li>
    );
  }
  if (asks === 'delete')
    return <ConfirmDelete title={title} id={row.id} onDone={() => setAsks(undefined)} />;
  return (
    <li class={`session is-${row.state} ${current ? 'is-current' : ''}`}>
      <button
        type="button"
        class="session-open"
        aria-current={current}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key === 'F2') setAsks('title');
          if (event.key === 'Delete') setAsks('delete');
        }}
      >
        <Icon
          name={icon}
          class={`bead${row.state === 'running' ? ' codicon-modifier-spin' : ''}`}
        />
        <span class="session-words">
          <span class="session-title">{title}</span>
          <span class="session-facts">
            {[
              label,
              ago(row.updatedAt, panel.store.clock.now()),
              count(row.messageCount, 'message'),
            ]
              .filter((fact) => fact !== '')
              .join(' · ')}
          </span>
          {excerpt !== '' && <span class="session-excerpt">{excerpt}</span>}
        </span>
      </button>
      <span class="session-buttons">
        <IconButton icon="edit" label={l10n.t('Rename (F2)')} onClick={() => setAsks('title')} />
        <IconButton
          icon="export"
          label={l10n.t('Export')}
          onClick={() => panel.host.do('exportSession', { sessionId: row.id })}
        />
        <IconButton icon="trash" label={l10n.t('Delete')} onClick={() => setAsks('delete')} />
      </span>
    </li>
  );
}

function ConfirmDelete({
  title,
  id,
  onDone,
}: {
  readonly title: string;
  readonly id: string;
  readonly onDone: () => void;
}): ComponentChildren {
  const panel = usePanel();
  return (
    <li class="session confirm" role="alertdialog" aria-label={l10n.t('Delete {0}?', title)}>
      <span>{l10n.t('Delete “{0}” for good?', title)}</span>
      <Button
        kind="primary"
        onClick={() => void panel.host.ask('deleteSession', { sessionId: id }).then(onDone)}
      >
        {l10n.t('Delete')}
      </Button>
      <Button onClick={onDone}>{l10n.t('Keep')}</Button>
    </li>
  );
}
