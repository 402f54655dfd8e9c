import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../../panel.ts';
import { deliver } from '../composer/composing.ts';
import { Button } from '../elements/button.tsx';
import { Carabiner, Icon } from '../elements/icon.tsx';

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

/** Messages that the demo model understands. */
const DEMO_EXAMPLES: readonly Example[] = [
  { icon: 'rocket', text: 'guided tour', acts: true, files: true },
  { icon: 'compass', text: 'explain this workspace', files: true },
  { icon: 'search', text: 'find TODO', files: true },
  { icon: 'terminal', text: 'run npm test', acts: true, files: true },
  { icon: 'question', text: 'help' },
];

/** The first minute: what Belay is, and the ways to begin. */
export function EmptyState(): ComponentChildren {
  const panel = usePanel();
  const { app, models, session } = panel.store;
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
  return (
    <div class="empty">
      <Carabiner class="mark" />
      <h2>Belay</h2>
      <p>
        {l10n.t(
          'A coding agent that holds the rope: you review every edit, every run can be stopped and resumed, and nothing is lost.',
        )}
      </p>
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
        <div class="begin">
          <Button
            {...(found === undefined ? { kind: 'primary' } : {})}
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
          {!ready && (
            <Button icon="play" onClick={() => panel.host.do('tryDemo', {})}>
              {l10n.t('Try the Demo')}
            </Button>
          )}
        </div>
      )}
      {!app.value.hasKey && app.value.offeredKey !== null && (
        <p class="quiet">
          {l10n.t(
            '{0} of the environment holds a key. Set API Key offers it; without your yes it is not used.',
            app.value.offeredKey,
          )}
        </p>
      )}
      {demo && (
        <p class="quiet">
          {l10n.t(
            'The demo model is built in and works offline: it follows a few fixed requests with the real tools.',
          )}
        </p>
      )}
      {!ready && <p class="quiet">{l10n.t('The demo needs no key and no network.')}</p>}
      {ready && examples.length > 0 && <Examples examples={examples} />}
    </div>
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
