import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel, type Panel } from '../../panel.ts';
import { commandHeld } from '../../keyboard/platform.ts';
import { count } from '../../texts/words.ts';
import { Button, IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { type Selection, useSelection } from './selection.ts';
import { isOutOfTheWay, sessionGroups } from './session-groups.ts';
import { SessionItem } from './session-item.tsx';
import { Hits, matching, useSearch } from './session-search.tsx';

/** All sessions: search, open, select, pin, archive, rename, export, delete. */
export function SessionList(): ComponentChildren {
  const panel = usePanel();
  const { rows, total, error, deleted } = panel.store.sessions;
  const [query, setQuery] = useState('');
  const [showsArchived, showArchived] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => search.current?.focus(), []);
  const words = query.trim();
  const findings = useSearch(panel, words);
  useAllRows(panel);
  const found = matching(rows.value, words, findings);
  const archived = found.filter(isOutOfTheWay).length;
  // Who searches, searches the archive, too.
  const all = showsArchived || words !== '' ? found : found.filter((row) => !isOutOfTheWay(row));
  const groups = sessionGroups(all, panel.store.clock.now());
  const shown = groups.flatMap((group) => group.rows.map(({ id }) => id));
  const selection = useSelection(shown);
  const remove = deleting(panel, selection);
  return (
    <main
      class="sessions"
      aria-label={l10n.t('Sessions')}
      onKeyDown={(event) => listKey(event, { panel, list: list.current, selection, shown })}
    >
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          data-home
          value={query}
          placeholder={l10n.t('Search titles and messages')}
          aria-label={l10n.t('Search sessions')}
          ref={search}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
      {error.value !== null && (
        <p class="caution" role="alert">
          {l10n.t('The list could not be read: {0}', error.value)}
        </p>
      )}
      {shown.length === 0 && error.value === null && (
        <p class="quiet none">{emptyWords(words, archived, deleted.value !== null)}</p>
      )}
      {!findings.complete && (
        <p class="quiet indexing" role="status">
          {l10n.t('Older messages are still being made findable…')}
        </p>
      )}
      <ul class={`session-rows ${selection.ids.length > 0 ? 'is-selecting' : ''}`} ref={list}>
        {groups.map(({ label, rows: group }) => (
          <li key={label} class="session-group">
            <h2>{label}</h2>
            <ul>
              {group.map((row) => (
                <SessionItem key={row.id} row={row} selection={selection} onDelete={remove}>
                  <Hits row={row} findings={findings} />
                </SessionItem>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <BulkBar selection={selection} rows={all} onDelete={remove} />
      <footer>
        <Button icon="cloud-download" onClick={() => void importSession(panel)}>
          {l10n.t('Import…')}
        </Button>
        <span class="spring" />
        <span class="quiet">{count(total.value, 'session')}</span>
        {(archived > 0 || showsArchived) && (
          <IconButton
            icon="archive"
            label={l10n.t('Show archived ({0})', archived)}
            pressed={showsArchived}
            onClick={() => showArchived(!showsArchived)}
          />
        )}
      </footer>
    </main>
  );
}

function emptyWords(words: string, archived: number, deleted: boolean): string {
  if (words !== '')
    return l10n.t('Nothing found in titles and messages. What tools returned is not searched.');
  if (archived > 0) return l10n.t('All sessions are archived.');
  return deleted ? l10n.t('No sessions left.') : l10n.t('No sessions yet.');
}

async function importSession(panel: Panel): Promise<void> {
  const before = panel.store.session.id.peek();
  await panel.host.ask('importSession', {});
  if (panel.store.session.id.peek() !== before) panel.page.value = 'conversation';
}

/** A snapshot has the newest rows only. */
function useAllRows(panel: Panel): void {
  const { rows, total } = panel.store.sessions;
  const missing = rows.value.length < total.value;
  useEffect(() => {
    if (!missing) return;
    const read = async (): Promise<void> => {
      const answer = await panel.host.ask('listSessions', {});
      if (answer !== undefined) rows.value = answer.rows;
    };
    void read();
  }, [missing]);
}

/** Deletes sessions, which are selected no more. */
function deleting(panel: Panel, selection: Selection): (ids: readonly string[]) => void {
  return (ids) => {
    const gone = new Set(ids);
    selection.set(selection.ids.filter((id) => !gone.has(id)));
    panel.host.do('deleteSessions', { sessionIds: [...ids] });
  };
}

/** Elements at which the arrow keys stop. */
const STOPS = '.session-open, .session-hit';

interface OnKey {
  readonly panel: Panel;
  readonly list: HTMLElement | null;
  readonly selection: Selection;
  readonly shown: readonly string[];
}

/** The keys of the list: walking, selecting, undoing, leaving. */
function listKey(event: KeyboardEvent, { panel, list, selection, shown }: OnKey): void {
  if (event.defaultPrevented) return;
  const { target } = event;
  const isRow = target instanceof HTMLElement && target.matches(STOPS);
  const isField = target instanceof HTMLInputElement && target.type !== 'checkbox';
  const claim = (): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  if (event.key === 'Escape') {
    claim();
    if (selection.ids.length > 0) selection.set([]);
    else panel.page.value = 'conversation';
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (!isRow && !(isField && event.key === 'ArrowDown')) return;
    claim();
    walk(event, list, selection);
  } else if (commandHeld(event) && !isField) {
    const key = event.key.toLowerCase();
    if (key === 'a') selection.set(shown);
    else if (key === 'z') panel.host.do('undoDelete', {});
    else if (key === ' ' && isRow) selection.toggle(target.dataset['session'] ?? '');
    else return;
    claim();
  }
}

/** Arrow keys move from row to row, with Shift they select. */
function walk(event: KeyboardEvent, list: HTMLElement | null, selection: Selection): void {
  const items = [...(list?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = items[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) {
    if (event.key === 'ArrowUp') document.querySelector<HTMLElement>('.search input')?.focus();
    return;
  }
  const here = items[at]?.dataset['session'];
  const there = next.dataset['session'];
  if (event.shiftKey && here !== undefined && there !== undefined) {
    if (!selection.has(here)) selection.set([...selection.ids, here, there]);
    else if (selection.has(there)) selection.set(selection.ids.filter((id) => id !== here));
    else selection.set([...selection.ids, there]);
  }
  next.focus();
}
