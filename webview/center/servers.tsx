import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type {
  OfferList,
  ServerAction,
  ServerDetails,
  ServerLogView,
  ServerRow,
} from '../../src/protocol/center/view.ts';
import { Button } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { amount, since } from '../texts/words.ts';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';
import { Switch } from './switch.tsx';
import { fittingTools, ServerTools } from './server-tools.tsx';
import { count, spoken } from '../../src/domain/text/language.ts';

/** The servers that the search leaves; `null`: not read yet. */
export function shownServers(center: Center): readonly ServerRow[] | null {
  const view = center.views.mcp.value;
  const words = center.words.value;
  return (
    view?.rows.filter(
      (row) =>
        hits(words, l10n.t('MCP servers'), row.name, row.summary, row.said, row.source) ||
        fittingTools(row, words).length > 0,
    ) ?? null
  );
}

/** The MCP servers: state, tools, what they offer, their log, and what can be done. */
export function Servers(): ComponentChildren {
  const center = useCenter();
  const view = center.views.mcp.value;
  const rows = shownServers(center) ?? [];
  return (
    <>
      {view?.trusted === false && (
        <p class="quiet">
          {l10n.t(
            'This workspace is not trusted: servers that it defines are not known here, and none is started.',
          )}
        </p>
      )}
      {view?.deferred === true && (
        <p class="quiet">
          {l10n.t(
            'Together the tools would take too much of the model’s window: the model finds them by a search, and they cost nothing in other requests.',
          )}
        </p>
      )}
      {view?.rows.length === 0 && (
        <p class="quiet">
          {l10n.t(
            'No server is connected. Servers of the Model Context Protocol give the agent more tools.',
          )}
        </p>
      )}
      <ul class="servers">
        {rows.map((row) => (
          <Server key={row.name} row={row} />
        ))}
      </ul>
      <div data-row="mcp">
        <Button icon="add" onClick={() => void center.do('addServer', {})}>
          {l10n.t('Add MCP Server…')}
        </Button>
      </div>
    </>
  );
}

const STATES: Readonly<Record<ServerRow['state'], string>> = {
  ready: l10n.t('Running'),
  starting: l10n.t('Starting'),
  failed: l10n.t('Does not run'),
  stopped: l10n.t('Stopped'),
  disabled: l10n.t('Switched off'),
};

const ACTIONS: Readonly<Record<ServerAction, readonly [icon: string, words: string]>> = {
  start: ['play', l10n.t('Start')],
  stop: ['debug-stop', l10n.t('Stop')],
  restart: ['debug-restart', l10n.t('Restart')],
  sign_in: ['key', l10n.t('Sign In')],
  sign_out: ['sign-out', l10n.t('Sign Out')],
  trust: ['shield', l10n.t('Review and Start…')],
  untrust: ['circle-slash', l10n.t('Withdraw Trust')],
  switch_off: ['circle-slash', l10n.t('Switch Off')],
  switch_on: ['play', l10n.t('Switch On')],
  edit: ['edit', l10n.t('Edit')],
};

function Server({ row }: { readonly row: ServerRow }): ComponentChildren {
  const center = useCenter();
  const { name, state, said, summary, source, title, problems, actions, tools, lastCall } = row;
  const deferred = center.views.mcp.value?.deferred === true;
  const words = center.words.value;
  const byTool = words.length > 0 && fittingTools(row, words).length > 0;
  const open = byTool || center.unfolded.value.has(name);
  const facts = [
    state === 'ready' ? count(tools.length, 'tool') : '',
    tools.length > 0
      ? deferred
        ? l10n.t('about {0} tokens if they were listed', amount(row.tokens))
        : l10n.t('about {0} tokens a turn', amount(row.tokens))
      : '',
    lastCall === null ? '' : l10n.t('called {0}', since(lastCall, Date.now())),
    title,
  ].filter(Boolean);
  return (
    <li class={`server is-${state}`} data-row={`mcp ${name}`} data-server={name}>
      <div class="server-head">
        <button
          type="button"
          class="server-name"
          data-stop
          data-server={name}
          aria-expanded={open}
          onClick={() => center.unfold(name, !open)}
        >
          <Icon name={open ? 'chevron-down' : 'chevron-right'} />
          <span class="dot" />
          {row.icon !== null && <img class="server-icon" src={row.icon} alt="" />}
          <strong>{name}</strong>
          <span class="state">{STATES[state]}</span>
        </button>
        <span class="actions">
          {row.on !== null && (
            <Switch
              on={row.on}
              isRow={false}
              label={l10n.t('Switch {0} on', name)}
              title={l10n.t('Off: for good, also in later windows')}
              onSwitch={(on) =>
                void center.do(
                  'serverAction',
                  { server: name, action: on ? 'switch_on' : 'switch_off' },
                  `${name} ${on ? 'on' : 'off'}.`,
                )
              }
            />
          )}
          {actions.map((action) => (
            <Button
              key={action}
              icon={ACTIONS[action][0]}
              label={`${ACTIONS[action][1]} ${name}`}
              onClick={() => void center.do('serverAction', { server: name, action })}
            >
              {ACTIONS[action][1]}
            </Button>
          ))}
        </span>
      </div>
      {state !== 'ready' && <p class={state === 'failed' ? 'why' : 'quiet'}>{said}</p>}
      {problems
        .filter((problem) => !said.includes(problem))
        .map((problem) => (
          <p class="why" key={problem}>
            {problem}
          </p>
        ))}
      {facts.length > 0 && <p class="quiet">{facts.join(' · ')}</p>}
      {open && (
        <div class="server-more">
          <p class="quiet from">
            <code>{summary}</code> · {l10n.t('from {0}', source)}
          </p>
          <ServerTools row={row} />
          <Details server={name} state={state} />
        </div>
      )}
    </li>
  );
}

/** Lines of a log that are shown. */
const LINES = 500;

/** Resources and prompts, read when they are looked at, and when the state has changed. */
function Details({
  server,
  state,
}: {
  readonly server: string;
  readonly state: ServerRow['state'];
}): ComponentChildren {
  const center = useCenter();
  const [details, setDetails] = useState<ServerDetails | null>(null);
  const read = async (): Promise<void> => {
    const found = await center.ask('readServer', { server });
    if (found !== undefined) setDetails(found);
  };
  useEffect(() => void read(), [server, state]);
  if (details === null) return <p class="quiet">{l10n.t('Reading…')}</p>;
  return (
    <>
      <Offers title={l10n.t('Resources')} list={details.resources} />
      <Offers title={l10n.t('Prompts')} list={details.prompts} />
      <Log server={server} />
    </>
  );
}

/** The log, read while it is looked at: each answer comes with new lines. */
function Log({ server }: { readonly server: string }): ComponentChildren {
  const center = useCenter();
  const [open, setOpen] = useState(false);
  const [lines, setLines] = useState<ServerLogView['lines']>([]);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const away = new AbortController();
    const { signal } = away;
    const follow = async (): Promise<void> => {
      setLines([]);
      for (let after = -1; !signal.aborted;) {
        const more = await center.ask('readServerLog', { server, after });
        if (signal.aborted || more === undefined) return;
        const { lines: fresh, last } = more;
        // A server that was defined anew begins anew.
        setLines((old) => [...(last < after ? [] : old), ...fresh].slice(-LINES));
        after = last;
      }
    };
    if (open) void follow();
    return () => away.abort();
  }, [server, open]);
  useLayoutEffect(() => {
    if (atEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{l10n.t('Log')}</summary>
      <pre
        class="server-log"
        ref={box}
        tabIndex={0}
        role="log"
        aria-label={l10n.t('Log of {0}', server)}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          atEnd.current = scrollHeight - scrollTop - clientHeight < 20;
        }}
      >
        {lines.map(({ at, source, text }) => `${clockTime(at)} [${source}] ${text}\n`).join('')}
      </pre>
    </details>
  );
}

const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString(spoken(), { hour12: false });

function Offers({
  title,
  list,
}: {
  readonly title: string;
  readonly list: OfferList | undefined;
}): ComponentChildren {
  if (list === undefined || list.total === 0) return null;
  const more = list.total - list.rows.length;
  return (
    <details>
      <summary>{`${title} (${list.total})`}</summary>
      <ul class="offers">
        {list.rows.map(({ name, description }, index) => (
          <li key={index}>
            {name} <span class="quiet">{description}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="quiet">{l10n.t('{0} more are not listed.', more)}</p>}
    </details>
  );
}
