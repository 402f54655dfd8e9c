import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../domain/models/model.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import type { McpServerView } from '../../mcp/status/server-view.ts';
import { hostOf, isLoopback } from '../../providers/http/address.ts';
import type { ProviderInstance } from '../../providers/instance.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';
import type { Protection, Receiver } from '../../protocol/center/view.ts';
import type { ModelSource } from '../../protocol/snapshot.ts';

export interface PrivacySectionParts {
  readonly models: {
    list(): readonly ModelInfo[];
    sourceOf(model: string): ModelSource;
  };
  /** Providers with an address of their own. */
  readonly instances: () => readonly ProviderInstance[];
  /** The model of new sessions. */
  readonly model: () => string;
  readonly servers: () => readonly McpServerView[];
  /** Hosts that the person's rules allow or deny everywhere. */
  readonly hosts: (effect: 'allow' | 'deny') => readonly string[];
  readonly settings: () => {
    readonly masks: boolean;
    readonly sandbox: boolean;
    readonly extensions: boolean;
  };
  readonly trusted: () => boolean;
}

/** Whatever leaves this machine, to whom, and what keeps it back: read from what is set and connected now. */
export function privacySection(parts: PrivacySectionParts): Pick<CenterHandlers, 'readPrivacy'> {
  return {
    readPrivacy: () =>
      Promise.resolve({
        receivers: [...providersOf(parts), ...serversOf(parts), ...othersOf(parts)],
        protections: protectionsOf(parts),
      }),
  };
}

const CONVERSATION = l10n.t(
  'Your messages, the files and results that the agent reads, and the instructions of your project',
);

function providersOf({ models, instances, model }: PrivacySectionParts): readonly Receiver[] {
  const listed = models.list();
  const chosen = listed.find(({ id }) => id === model())?.provider;
  const byProvider = Map.groupBy(
    listed.filter(({ offline }) => offline !== true),
    ({ provider }) => provider,
  );
  const rows = [...byProvider].map(([provider, [first]]) => {
    const source = models.sourceOf(first?.id ?? '');
    const instance = instances().find(({ id }) => id === provider);
    const local =
      source.kind === 'machine' || (instance !== undefined && isLoopback(instance.baseUrl));
    const asked =
      provider === chosen
        ? l10n.t('in new sessions, as set')
        : l10n.t('only when you choose a model of it');
    const row: Receiver = {
      name: source.name === '' ? provider : source.name,
      place: local
        ? l10n.t('this machine')
        : instance === undefined
          ? l10n.t('VS Code, and the extension that serves its models')
          : hostOf(instance.baseUrl),
      gets: `${CONVERSATION}: ${asked}.`,
      local,
    };
    return { row, first: provider === chosen };
  });
  return rows.toSorted((a, b) => Number(b.first) - Number(a.first)).map(({ row }) => row);
}

function serversOf({ servers }: PrivacySectionParts): readonly Receiver[] {
  return servers()
    .filter(({ state }) => state !== 'disabled')
    .map(({ name, remote, summary }) => ({
      name: l10n.t('MCP server {0}', makeVisible(name)),
      place:
        remote && URL.canParse(summary)
          ? hostOf(summary)
          : remote
            ? makeVisible(summary)
            : l10n.t('a program on this machine'),
      gets: remote
        ? l10n.t(
            'The arguments of calls of its tools, which are asked about unless a rule allows them.',
          )
        : l10n.t(
            'The arguments of calls of its tools. It runs with your rights; what it sends on is its own matter.',
          ),
      local: !remote,
    }));
}

function othersOf({ hosts }: PrivacySectionParts): readonly Receiver[] {
  const [allowed, denied] = [hosts('allow'), hosts('deny')];
  const never = denied.length === 0 ? '' : ` ${l10n.t('Never: {0}.', denied.join(', '))}`;
  return [
    {
      name: l10n.t('Web pages'),
      place: allowed.length === 0 ? l10n.t('no host without a question') : allowed.join(', '),
      gets: `${l10n.t('The address of a page that the agent reads. Other hosts are asked about.')}${never}`,
      local: false,
    },
    {
      name: l10n.t('Commands that you let run'),
      place: l10n.t('wherever they connect to'),
      gets: l10n.t(
        'Whatever they send. With the sandbox on they reach only hosts that your rules allow.',
      ),
      local: false,
    },
  ];
}

function protectionsOf({ settings, trusted }: PrivacySectionParts): readonly Protection[] {
  const { masks, sandbox, extensions } = settings();
  return [
    {
      name: l10n.t('Secrets in what tools read'),
      on: masks,
      said: masks
        ? l10n.t('Keys, tokens and passwords are hidden from models.')
        : l10n.t('Models see keys, tokens and passwords as they are.'),
      setting: 'secrets.maskToolOutput',
    },
    {
      name: l10n.t('Sandbox for commands'),
      on: sandbox,
      said: sandbox
        ? l10n.t(
            'Commands write only in the workspace and a private temp folder, and see no credentials.',
          )
        : l10n.t('Commands run as you do, after your yes or your rules.'),
      setting: 'terminal.sandbox',
    },
    {
      name: l10n.t('Tools of other extensions'),
      on: !extensions,
      said: extensions
        ? l10n.t('They are offered to the model; what they do with it is their own matter.')
        : l10n.t('None is offered to the model.'),
      setting: 'tools.extensions',
    },
    {
      name: l10n.t('Workspace Trust'),
      on: null,
      said: trusted()
        ? l10n.t(
            'This workspace is trusted: its settings and MCP servers count, the servers after your yes.',
          )
        : l10n.t('This workspace is not trusted: Belay only reads and searches.'),
      setting: null,
    },
    {
      name: l10n.t('Keys and sign-ins'),
      on: null,
      said: l10n.t(
        'They are in the secret storage of VS Code, and go only to the address they belong to.',
      ),
      setting: null,
    },
    {
      name: l10n.t('Telemetry'),
      on: null,
      said: l10n.t('There is none. Remote images are never loaded.'),
      setting: null,
    },
  ];
}
