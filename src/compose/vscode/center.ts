import type { Clock } from '../../core/ports/clock.ts';
import type { Places } from '../../hosts/vscode/panel/places.ts';
import { CenterHost } from '../../panel/center/center-host.ts';
import type { RulesSection } from '../../panel/center/rules-section.ts';
import type { CenterSection } from '../../protocol/center/view.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import type { PanelProviderList } from '../../hosts/vscode/models/panel-providers.ts';
import type { WindowSetup } from '../../hosts/vscode/panel/panel-setup.ts';
import {
  onOtherEditor,
  watchCustomizations,
} from '../../hosts/vscode/center/customization-files.ts';
import type { WindowModels } from '../../hosts/vscode/commands/services.ts';
import { contextLimitOf } from '../../core/policies/compaction-point.ts';
import { deferLimit } from '../../core/tool-call/find-tool.ts';
import { folderSizes } from '../../hosts/node/files/folder-sizes.ts';
import * as asked from '../../hosts/vscode/center/asked.ts';
import { serverPerson } from '../../hosts/vscode/center/server-person.ts';
import { switchMemory } from '../../hosts/vscode/center/switch-memory.ts';
import { switchTools } from '../../hosts/vscode/center/switch-tools.ts';
import { customizationsSection } from '../../panel/center/customizations-section.ts';
import { memorySection } from '../../panel/center/memory-section.ts';
import { modelsSection } from '../../panel/center/models-section.ts';
import { privacySection } from '../../panel/center/privacy-section.ts';
import { rulesHandlers } from '../../panel/center/rules-handlers.ts';
import { serversSection } from '../../panel/center/servers-section.ts';
import { storageSection } from '../../panel/center/storage-section.ts';
import { toolsSection } from '../../panel/center/tools-section.ts';
import { usageSection } from '../../panel/center/usage-section.ts';
import { CredentialBook } from '../../mcp/auth/credential-book.ts';
import type { Engine } from '../engine.ts';
import type { McpServers } from './mcp-servers.ts';

export interface CenterSources {
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: Pick<
    Engine,
    'broker' | 'customizations' | 'permissions' | 'tools' | 'checkpoints' | 'secrets' | 'store'
  >;
  readonly mcp: Pick<McpServers, 'hub' | 'consent' | 'switches'>;
  readonly models: Pick<WindowModels, 'list' | 'sourceOf' | 'onChange'>;
  readonly setup: Pick<WindowSetup, 'defaults'>;
  readonly places: Pick<Places, 'sessionId' | 'onPresenceChanged'>;
  readonly rules: RulesSection;
  readonly providers: PanelProviderList;
}

/** Puts the Control Center together. */
export function composeCenter(sources: CenterSources): CenterHost {
  const { clock, host } = sources;
  const handlers = { ...createHandlers(sources), ...createFacts(sources) };
  return new CenterHost({ clock, log: host.log, handlers, follow: following(sources) });
}

function createHandlers(sources: CenterSources) {
  const { host, engine, mcp, models, places, rules, providers, setup } = sources;
  const { hub, consent, switches } = mcp;
  const { rows } = engine.tools;
  return {
    ...serversSection({
      hub,
      rows,
      rules: engine.permissions.rules,
      consent,
      switches,
      isSignedIn: async (hash) =>
        (await new CredentialBook(host.extension.secrets, hash).token()) !== undefined,
      limit: () => {
        const model = setup.defaults().model;
        const window = models.list().find(({ id }) => id === model)?.contextWindow ?? Infinity;
        return deferLimit(host.settings.get, contextLimitOf(host.settings.get, window));
      },
      trusted: () => host.workspace.trusted,
      roots: () => host.workspace.roots,
      person: serverPerson,
    }),
    ...toolsSection({
      // Those of servers stand with their servers.
      rows: async () => {
        const theirs = new Set(hub.knownTools().map(({ name }) => name));
        return (await rows()).filter(({ name }) => !theirs.has(name));
      },
      switchTools,
    }),
    ...modelsSection(providers),
    ...rulesHandlers(rules, () => places.sessionId ?? null),
    ...customizationsSection({
      customizations: engine.customizations,
      trusted: () => host.workspace.trusted,
      roots: () => host.workspace.roots,
      open: asked.openInEditor,
      tools: async () => [...(await engine.tools.own()), ...hub.knownTools()],
    }),
  };
}

/** The sections of what is on record: usage, memory, privacy, storage. */
function createFacts({ host, clock, engine, mcp, models, setup }: CenterSources) {
  const { settings, keys, workspace, folders } = host;
  return {
    ...usageSection({
      records: engine.store.person,
      settings: host.settings.get,
      now: () => clock.now(),
      models: () => models.list(),
      sessions: async () => engine.store.transcripts.sessions(),
      save: async (text) => asked.saveText('usage.csv', text),
    }),
    ...memorySection({
      memories: engine.store.memories,
      sessions: async () => engine.store.transcripts.sessions(),
      enabled: () => settings.get('memory.enabled'),
      enable: switchMemory,
      mask: async (text) => engine.secrets.maskByTurns(text),
      save: asked.saveText,
    }),
    ...privacySection({
      models,
      instances: () => keys.instances,
      model: () => setup.defaults().model,
      servers: () => mcp.hub.servers(),
      hosts: (effect) => engine.permissions.rules.hosts(effect),
      settings: () => ({
        masks: settings.get('secrets.maskToolOutput'),
        sandbox: settings.get('terminal.sandbox') === 'on',
        extensions: settings.get('tools.extensions'),
      }),
      trusted: () => workspace.trusted,
    }),
    ...storageSection({
      checkpoints: engine.checkpoints?.storage,
      sessions: async () =>
        (await engine.store.transcripts.sessions()).filter(({ type }) => type === 'main').length,
      folders,
      sizes: folderSizes,
      confirm: asked.confirmCleanUp,
    }),
    ...asked.opening,
  };
}

/** Listens for whatever makes sections stale. */
function following({ host, engine, mcp, models, places }: CenterSources) {
  const { settings, keys, checks, workspace } = host;
  return (stale: (sections: readonly CenterSection[]) => void) => {
    const says =
      (...sections: readonly CenterSection[]) =>
      (): void =>
        stale(sections);
    return [
      mcp.hub.onChange(says('mcp', 'tools', 'privacy')),
      engine.permissions.rules.onChange(says('rules', 'mcp', 'privacy')),
      places.onPresenceChanged(says('rules')),
      models.onChange(says('models', 'privacy')),
      keys.onChanged(says('models')),
      checks.onChanged(says('models')),
      workspace.onTrusted(says('mcp', 'tools', 'rules', 'customizations', 'privacy')),
      ...watchCustomizations(says('customizations')),
      // Some instructions are for the files that the person works on.
      onOtherEditor(says('customizations')),
      settings.onChanged(
        says('mcp', 'models', 'tools', 'rules', 'memory', 'usage', 'privacy', 'storage'),
      ),
      engine.broker.listen((event) => {
        if (
          event.type === 'tool.finished' &&
          (event.name === 'remember' || event.name === 'forget')
        )
          stale(['memory']);
        if (event.type === 'model.usage') stale(['usage']);
      }),
    ];
  };
}
