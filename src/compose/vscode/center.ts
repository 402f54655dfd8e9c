import type { Clock } from '../../core/ports/clock.ts';
import { lazy } from '../../domain/lazy.ts';
import type { PanelHost } from '../../panel/panel-host.ts';
import type { CenterHost } from '../../panel/center/center-host.ts';
import type { RulesSection } from '../../panel/center/rules-section.ts';
import type { CenterSection } from '../../protocol/center/view.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import type { PanelProviderList } from '../../hosts/vscode/models/panel-providers.ts';
import type { WindowModels } from '../../hosts/vscode/commands/services.ts';
import { CredentialBook } from '../../mcp/auth/credential-book.ts';
import type { ServerConsent } from '../../mcp/config/consent.ts';
import type { McpHub } from '../../mcp/hub.ts';
import type { Engine } from '../engine.ts';

export interface CenterSources {
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'permissions' | 'tools'>;
  readonly mcp: { readonly hub: McpHub; readonly consent: ServerConsent };
  readonly models: Pick<WindowModels, 'onChange'>;
  readonly panel: Pick<PanelHost, 'state' | 'onStateChange'>;
  readonly rules: RulesSection;
  readonly providers: PanelProviderList;
}

/** Puts the Control Center together when it is first shown. */
export function lazyCenter(sources: CenterSources): () => Promise<CenterHost> {
  return lazy(async () => {
    const [{ CenterHost: Center }, handlers] = await Promise.all([
      import('../../panel/center/center-host.ts'),
      handlersOf(sources),
    ]);
    const { clock, host } = sources;
    return new Center({ clock, log: host.log, handlers, follow: following(sources) });
  });
}

async function handlersOf(sources: CenterSources) {
  const [{ serversSection }, { toolsSection }, { modelsSection }, { rulesHandlers }, tools, edit] =
    await Promise.all([
      import('../../panel/center/servers-section.ts'),
      import('../../panel/center/tools-section.ts'),
      import('../../panel/center/models-section.ts'),
      import('../../panel/center/rules-handlers.ts'),
      import('../../hosts/vscode/center/switch-tools.ts'),
      import('../../hosts/vscode/center/server-person.ts'),
    ]);
  const { host, clock, engine, mcp, panel, rules, providers } = sources;
  const { toolsOf } = await import('../../mcp/tools/tool-proxy.ts');
  const { hub, consent } = mcp;
  const { rows } = engine.tools;
  return {
    ...serversSection({
      hub,
      tools: () => {
        const servers = hub.servers().flatMap(({ name }) => hub.server(name) ?? []);
        return toolsOf(servers, clock);
      },
      rows,
      rules: engine.permissions.rules,
      consent,
      isSignedIn: async (hash) =>
        (await new CredentialBook(host.extension.secrets, hash).token()) !== undefined,
      trusted: () => host.workspace.trusted,
      roots: () => host.workspace.roots,
      person: edit.serverPerson,
    }),
    ...toolsSection({ rows, switchTools: tools.switchTools }),
    ...modelsSection(providers),
    ...rulesHandlers(rules, () => panel.state.sessionId ?? null),
  };
}

/** Listens for whatever makes sections stale. */
function following({ host, engine, mcp, models, panel }: CenterSources) {
  const { settings, keys, checks, workspace } = host;
  return (stale: (sections: readonly CenterSection[]) => void) => {
    const says =
      (...sections: readonly CenterSection[]) =>
      (): void =>
        stale(sections);
    return [
      mcp.hub.onChange(says('mcp', 'tools')),
      engine.permissions.rules.onChange(says('rules', 'mcp')),
      panel.onStateChange(says('rules')),
      models.onChange(says('models')),
      keys.onChanged(says('models')),
      checks.onChanged(says('models')),
      workspace.onTrusted(says('mcp', 'tools', 'rules')),
      settings.onChanged(says('mcp', 'models', 'tools', 'rules')),
    ];
  };
}
