import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { deliver } from '../composer/composing.ts';
import { Button } from '../elements/button.tsx';
import { Carabiner, Icon } from '../elements/icon.tsx';
import { titleOf } from '../sessions/session-item.tsx';

interface Example {
  readonly icon: string;
  readonly text: string;
  /** It changes something or runs a command: not in a workspace that is not trusted. */
  readonly acts?: true;
  /** Stands in for one that acts. */
  readonly readsOnly?: true;
  /** It is about files: not without a folder. */
  readonly files?: true;
}

const EXAMPLES: readonly Example[] = [
  { icon: 'compass', text: l10n.t('Explain how this workspace is built'), files: true },
  { icon: 'beaker', text: l10n.t('Run the tests and fix what fails'), acts: true, files: true },
  {
    icon: 'bug',
    text: l10n.t('Find where errors are swallowed, and propose a fix'),
    acts: true,
    files: true,
  },
  { icon: 'book', text: l10n.t('Write a README for this project'), acts: true, files: true },
  { icon: 'search', text: l10n.t('Find where errors are swallowed'), readsOnly: true, files: true },
];

/** The demo model plays its tour whatever it is asked. */
const DEMO_EXAMPLES: readonly Example[] = [{ icon: 'rocket', text: l10n.t('Take the tour') }];

/** The first minute: what Belay is, and the ways to begin. */
export function EmptyState(): ComponentChildren {
  const panel = usePanel();
  const { app, models, session, sessions } = panel.store;
  const chosen = models.value.find((model) => model.id === session.options.value.model);
  const kind = chosen?.source.kind;
  const demo = kind === 'demo';
  const found = kind === 'editor' || kind === 'machine' ? chosen : undefined;
  const ready = app.value.hasKey || demo || found !== undefined || kind === 'set';
  const { trusted, hasWorkspace } = app.value;
  const examples = (demo ? DEMO_EXAMPLES : EXAMPLES).filter(
    ({ acts, readsOnly, files }) =>
      (trusted ? readsOnly !== true : acts !== true) && (hasWorkspace || files !== true),
  );
  const isFirst = sessions.total.value === 0;
  return (
    <div class={isFirst ? 'empty' : 'empty is-known'}>
      {isFirst && <Welcome />}
      <div aria-live="polite">
        {found !== undefined && (
          <p class="quiet answers">
            {kind === 'editor'
              ? l10n.t('{0} answers: VS Code already has it, and no key is needed.', found.name)
              : l10n.t(
                  '{0} answers: {1} runs on this machine, and no key is needed.',
                  found.name,
                  found.source.name,
                )}{' '}
            {l10n.t('Choose another below.')}
          </p>
        )}
      </div>
      {!app.value.hasKey && kind !== 'set' && (
        <Begin isReady={ready} isMain={found === undefined} />
      )}
      <OfferedKey />
      {demo && (
        <p class="quiet">
          {l10n.t('The demo model is scripted and works offline. Its tools are real.')}
        </p>
      )}
      {!ready && <p class="quiet">{l10n.t('The demo needs no key and no network.')}</p>}
      {ready && examples.length > 0 && <Examples examples={examples} />}
      {!isFirst && <Recent />}
    </div>
  );
}

/** Tells that the environment has a key, which is not used by itself. */
function OfferedKey(): ComponentChildren {
  const { hasKey, offeredKey } = usePanel().store.app.value;
  if (hasKey || offeredKey === null) return null;
  return (
    <p class="quiet">
      {l10n.t(
        '{0} of the environment holds a key. Set API Key offers it; without your yes it is not used.',
        offeredKey,
      )}
    </p>
  );
}

interface BeginProps {
  /** A model answers already. */
  readonly isReady: boolean;
  /** A key is the main thing to set. */
  readonly isMain: boolean;
}

/** The ways to a model. */
function Begin({ isReady, isMain }: BeginProps): ComponentChildren {
  const panel = usePanel();
  return (
    <div class="begin">
      <Button
        {...(isMain ? { kind: 'primary' } : {})}
        icon="key"
        onClick={() => panel.host.do('runCommand', { command: 'setApiKey' })}
      >
        {l10n.t('Set API Key')}
      </Button>
      <Button
        icon="add"
        onClick={() => panel.host.do('providerAction', { action: 'add', provider: null })}
      >
        {l10n.t('Add Model Provider')}
      </Button>
      {!isReady && (
        <Button icon="play" onClick={() => panel.host.do('tryDemo', {})}>
          {l10n.t('Try the Demo')}
        </Button>
      )}
    </div>
  );
}

/** The name and the promise, until there is a session. */
function Welcome(): ComponentChildren {
  return (
    <>
      <Carabiner class="mark" />
      <h2>Belay</h2>
      <p>
        {l10n.t(
          'A coding agent that holds the rope: you review every edit, every run can be stopped and resumed, and nothing is lost.',
        )}
      </p>
    </>
  );
}

/** Sessions that are offered in a new one. */
const RECENT = 3;

/** The latest sessions. */
function Recent(): ComponentChildren {
  const panel = usePanel();
  const rows = panel.store.sessions.rows.value.filter(
    ({ id }) => id !== panel.store.session.id.value,
  );
  return (
    <ul class="examples" aria-label={l10n.t('Recent sessions')}>
      {rows.slice(0, RECENT).map((row) => (
        <li key={row.id}>
          <button type="button" onClick={() => panel.host.do('openSession', { sessionId: row.id })}>
            <Icon name="comment-discussion" />
            <span class="session-title">{titleOf(row)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Requests to begin with: a click runs one. */
function Examples({ examples }: { readonly examples: readonly Example[] }): ComponentChildren {
  const panel = usePanel();
  const run = (text: string): void =>
    void deliver(panel, { text, attachments: [], how: 'queue' }, () => {
      panel.input.insert.value = { text };
    });
  return (
    <ul class="examples" aria-label={l10n.t('Examples')}>
      {examples.map(({ icon, text }) => (
        <li key={text}>
          <button type="button" onClick={() => run(text)}>
            <Icon name={icon} />
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
