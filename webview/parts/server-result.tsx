import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { type Json, isJsonObject } from '../../src/domain/data/json.ts';
import { makeVisible } from '../../src/domain/text/honest-text.ts';
import type { ServerResultView, ToolView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { Button } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { BinaryPart } from './binary.tsx';

interface ResultProps {
  readonly tool: ToolView;
  readonly messageSeq: number;
}

/** Pictures and sounds on the card while it is folded; all of them when it is unfolded. */
const FIRST = 3;

/** Pictures and sounds of a result. */
export function Media({
  tool: { media, callId },
  messageSeq,
  unfolded,
}: ResultProps & { readonly unfolded: boolean }): ComponentChildren {
  if (media.length === 0) return null;
  const shown = unfolded ? media : media.slice(0, FIRST);
  return (
    <div class="media">
      {shown.map((part) => (
        <BinaryPart
          key={part.index}
          part={part}
          messageSeq={messageSeq}
          index={part.index}
          callId={callId}
        />
      ))}
      {shown.length < media.length && (
        <span class="quiet">{l10n.t('and {0} more', media.length - shown.length)}</span>
      )}
    </div>
  );
}

/** Resources that a server's result names or brought along: each opens as a document for reading. */
export function Resources({
  tool: { server, callId },
  messageSeq,
}: ResultProps): ComponentChildren {
  const panel = usePanel();
  if (server === null || server.resources.length === 0) return null;
  const open = (index: number): void => {
    const sessionId = panel.store.session.id.peek();
    if (sessionId !== null)
      panel.host.do('openResource', { sessionId, seq: messageSeq, callId, index });
  };
  return (
    <ul class="resources" aria-label={l10n.t('Resources')}>
      {server.resources.map(({ name, uri }, index) => (
        <li key={index}>
          <Icon name="link" />
          <button
            type="button"
            class="link"
            title={l10n.t('Open {0}', uri)}
            onClick={() => open(index)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The way to the app of a server: it is loaded with this click, and not before. */
export function AppDoor({ tool: { server, callId }, messageSeq }: ResultProps): ComponentChildren {
  const panel = usePanel();
  if (server?.app !== true) return null;
  const open = (): void => {
    const sessionId = panel.store.session.id.peek();
    if (sessionId !== null) panel.host.do('openApp', { sessionId, seq: messageSeq, callId });
  };
  return (
    <div class="app-door">
      <Button
        icon="window"
        onClick={open}
        title={l10n.t("The server's own page, in a tab of its own")}
      >
        {l10n.t('Open App')}
      </Button>
    </div>
  );
}

/** The way to the tool's server: its state, its log, the tool's switch and rule. */
export function ServerDoor({ name }: { readonly name: string }): ComponentChildren {
  const panel = usePanel();
  return (
    <div class="server-door">
      <Button
        icon="plug"
        onClick={() => panel.host.do('openCenter', { section: 'mcp', item: name })}
        title={l10n.t('State and log of the MCP server, and the switch and rule of this tool')}
      >
        {l10n.t('Show Server')}
      </Button>
    </div>
  );
}

/** The structured output of a server's tool, as names and values. */
export function Structured({
  structured,
}: Pick<ServerResultView, 'structured'>): ComponentChildren {
  return structured === null ? null : (
    <section class="structured" aria-label={l10n.t('Structured output')}>
      <Value value={structured} level={0} />
    </section>
  );
}

/** Levels that are drawn; what is deeper is shown as JSON. */
const DEEPEST = 6;
/** Entries of a list or record that are drawn. */
const MOST = 100;

function Value({
  value,
  level,
}: {
  readonly value: Json;
  readonly level: number;
}): ComponentChildren {
  if (typeof value !== 'object' || value === null)
    return <span class="value">{value === null ? '–' : makeVisible(String(value))}</span>;
  const entries: readonly (readonly [string, Json])[] = isJsonObject(value)
    ? Object.entries(value)
    : value.map((one, index) => [String(index + 1), one] as const);
  if (entries.length === 0) return <span class="value quiet">{l10n.t('none')}</span>;
  if (level >= DEEPEST) return <code>{makeVisible(JSON.stringify(value))}</code>;
  return (
    <dl>
      {entries.slice(0, MOST).map(([name, one]) => (
        <div key={name} class={typeof one === 'object' && one !== null ? 'is-nested' : undefined}>
          <dt>{makeVisible(name)}</dt>
          <dd>
            <Value value={one} level={level + 1} />
          </dd>
        </div>
      ))}
      {entries.length > MOST && (
        <div class="quiet">{l10n.t('and {0} more', entries.length - MOST)}</div>
      )}
    </dl>
  );
}
