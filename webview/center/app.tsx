import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { serverPartOf } from '../../src/domain/mcp/server-tool-name.ts';
import type { CenterPlace } from '../../src/protocol/center/messages.ts';
import { CENTER_SECTIONS, type CenterSection } from '../../src/protocol/center/view.ts';
import { IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { type Center, useCenter } from './center.ts';
import { Customizations, shownCustomizations } from './customizations.tsx';
import { MemorySection, shownMemory } from './memory.tsx';
import { Models, shownProviders } from './models.tsx';
import { Rules, shownRules } from './rules.tsx';
import { Servers, shownServers } from './servers.tsx';
import { Privacy, shownPrivacy } from './privacy.tsx';
import { shownStorage, Storage } from './storage.tsx';
import { shownUsage, UsageSection } from './usage.tsx';
import { shownTools, Tools } from './tools.tsx';

/** Name and icon of each section, what it shows, and how many rows a search leaves; `null`: not read yet. */
const SECTIONS = {
  mcp: { title: l10n.t('MCP servers'), icon: 'plug', content: Servers, rows: shownServers },
  models: { title: l10n.t('Models'), icon: 'sparkle', content: Models, rows: shownProviders },
  tools: { title: l10n.t('Tools'), icon: 'tools', content: Tools, rows: shownTools },
  rules: { title: l10n.t('Permission rules'), icon: 'law', content: Rules, rows: shownRules },
  customizations: {
    title: l10n.t('Instructions, skills and personas'),
    icon: 'book',
    content: Customizations,
    rows: shownCustomizations,
  },
  memory: { title: l10n.t('Memory'), icon: 'bookmark', content: MemorySection, rows: shownMemory },
  usage: {
    title: l10n.t('Budgets and usage'),
    icon: 'graph',
    content: UsageSection,
    rows: shownUsage,
  },
  privacy: { title: l10n.t('Privacy'), icon: 'shield', content: Privacy, rows: shownPrivacy },
  storage: {
    title: l10n.t('Checkpoints and storage'),
    icon: 'database',
    content: Storage,
    rows: shownStorage,
  },
} as const satisfies Readonly<Record<CenterSection, unknown>>;

interface AppProps {
  /** Where the page was before, in pixels. */
  readonly scroll: number;
  readonly onScroll: (top: number) => void;
}

/** All settings of Belay on one page, with one search. */
export function App({ scroll, onScroll }: AppProps): ComponentChildren {
  const center = useCenter();
  const box = useRef<HTMLElement>(null);
  const searching = center.words.value.length > 0;
  const shown = CENTER_SECTIONS.map((id) => ({
    id,
    rows: SECTIONS[id].rows(center)?.length ?? null,
  }));
  const left = shown.filter(({ rows }) => !searching || rows !== 0);
  const isRead = shown.every(({ rows }) => rows !== null);
  useScroll(box, scroll, isRead);
  usePlace(box);
  return (
    <>
      <header class="center-head">
        <h1>{l10n.t('Control Center')}</h1>
        <Search />
      </header>
      <Refused />
      <div class="center-body">
        <nav class="center-nav" aria-label={l10n.t('Sections')}>
          {left.map(({ id, rows }) => (
            <button
              key={id}
              type="button"
              onClick={() => {
                center.place.value = { section: id };
              }}
            >
              <Icon name={SECTIONS[id].icon} />
              <span>{SECTIONS[id].title}</span>
              {rows !== null && <span class="quiet number">{rows}</span>}
            </button>
          ))}
        </nav>
        <main
          class="center-main"
          ref={box}
          onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
        >
          {left.map(({ id, rows }) => {
            const { title, content: Content } = SECTIONS[id];
            return (
              <section
                key={id}
                class="center-section"
                data-section={id}
                aria-labelledby={`at-${id}`}
              >
                <h2 id={`at-${id}`} tabIndex={-1}>
                  {title}
                </h2>
                {rows === null ? <p class="quiet">{l10n.t('Reading…')}</p> : <Content />}
              </section>
            );
          })}
          {left.length === 0 && <p class="quiet none">{l10n.t('Nothing here has these words.')}</p>}
        </main>
      </div>
      <Announcer found={left.reduce((sum, { rows }) => sum + (rows ?? 0), 0)} />
    </>
  );
}

function Search(): ComponentChildren {
  const center = useCenter();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <div class="center-search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        data-home
        aria-label={l10n.t('Search the settings of Belay')}
        placeholder={l10n.t('Search servers, models, tools, rules, privacy, storage')}
        value={center.query.value}
        onInput={(event) => {
          center.query.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

function Refused(): ComponentChildren {
  const { refused } = useCenter();
  return (
    <div role="alert">
      {refused.value !== '' && (
        <div class="center-refused">
          <Icon name="error" />
          <p>{refused.value}</p>
          <IconButton
            icon="close"
            label={l10n.t('Dismiss')}
            onClick={() => {
              refused.value = '';
            }}
          />
        </div>
      )}
    </div>
  );
}

/** Says what was done, and how much a search found. */
function Announcer({ found }: { readonly found: number }): ComponentChildren {
  const { announcement, words } = useCenter();
  const count = found === 1 ? l10n.t('1 entry found') : l10n.t('{0} entries found', found);
  return (
    <>
      <p class="announcer" role="status">
        {words.value.length > 0 ? count : ''}
      </p>
      <p class="announcer" role="status">
        {announcement.value}
      </p>
    </>
  );
}

type Box = { readonly current: HTMLElement | null };

/** Goes back to where the page was, once everything that was there is. */
function useScroll(box: Box, scroll: number, isRead: boolean): void {
  useLayoutEffect(() => {
    if (isRead && scroll > 0) box.current?.scrollTo({ top: scroll });
  }, [isRead]);
}

/** Goes to the place that was asked for, once it is read, and puts the focus there. */
function usePlace(box: Box): void {
  const center = useCenter();
  const { place, views } = center;
  const wanted = place.value;
  const view = wanted === null ? null : views[wanted.section].value;
  useLayoutEffect(() => {
    if (wanted === null || view === null) return;
    place.value = null;
    const name = rowOf(center, wanted);
    // A tool's row is there when its server has unfolded.
    queueMicrotask(() => goTo(box, wanted.section, name));
  }, [wanted, view]);
}

/** The row of a place; of a server's tool the server is unfolded, and where the tool is gone the server is the row. */
function rowOf(center: Center, { section, item = '' }: CenterPlace): string {
  const rows = section === 'mcp' ? (center.views.mcp.peek()?.rows ?? []) : [];
  const own =
    rows.find(({ name }) => name === item) ??
    rows.find(({ tools }) => tools.some(({ name }) => name === item));
  const like = rows.find(({ name }) => item.startsWith(`mcp__${serverPartOf(name)}__`));
  const server = own ?? like;
  if (server !== undefined) center.unfold(server.name, true);
  return `${section} ${own === undefined ? (like?.name ?? item) : item}`;
}

function goTo(box: Box, at: CenterSection, name: string): void {
  const section = box.current?.querySelector<HTMLElement>(`[data-section="${at}"]`);
  const rows = [...(section?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const row = rows.find((one) => one.dataset['row'] === name);
  const stop = row?.matches('[data-stop]') === true ? row : row?.querySelector('[data-stop]');
  const target = stop ?? section?.querySelector('h2');
  (row ?? section)?.scrollIntoView({ block: 'start' });
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
