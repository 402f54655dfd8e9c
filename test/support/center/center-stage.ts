import type { Clock } from '../../../src/core/ports/clock.ts';
import type { BelayError } from '../../../src/domain/failure.ts';
import type { Mode } from '../../../src/core/tool-call/tool-call.ts';
import { Listeners } from '../../../src/domain/lifetime/listeners.ts';
import { CenterHost } from '../../../src/panel/center/center-host.ts';
import { modelsSection } from '../../../src/panel/center/models-section.ts';
import { rulesHandlers } from '../../../src/panel/center/rules-handlers.ts';
import type { CustomizationsView } from '../../../src/protocol/center/customizations-view.ts';
import type { CenterHandlers } from '../../../src/protocol/center/requests.ts';
import type {
  CenterSection,
  ServerDetails,
  ServerLogView,
  PrivacyView,
  ServerRow,
  StorageView,
  ToolsView,
} from '../../../src/protocol/center/view.ts';
import type { MemoryView } from '../../../src/protocol/center/memory-view.ts';
import { memoryHandlers } from './memory-scene.ts';
import type { UsageView } from '../../../src/protocol/center/usage-view.ts';
import type { ProvidersView } from '../../../src/protocol/provider-view.ts';
import { rulesSection } from '../../unit/panel/stage-rules.ts';

/** The Control Center's host on a stage: what it shows is what the test says, what is asked for is written down. */
export class CenterStage {
  readonly host: CenterHost;
  /** Requests that change something, as text, in order. */
  readonly calls: string[] = [];
  readonly logged: string[] = [];
  servers: readonly ServerRow[] = [];
  details: ServerDetails = {};
  log: ServerLogView['lines'] = [];
  tools: ToolsView = { modules: [] };
  providers: ProvidersView = { rows: [], problems: [] };
  customizations: CustomizationsView = { rows: [], trusted: true };
  usage: UsageView = {
    problem: '',
    person: '',
    linked: false,
    caps: [],
    total: '',
    groups: [],
  };
  memory: MemoryView = { problem: '', on: true, rows: [] };
  privacy: PrivacyView = { receivers: [], protections: [] };
  storage: StorageView = { places: [], sessions: 0, checkpoints: null };
  rules: readonly unknown[] = [];
  workspaceRules: readonly unknown[] = [];
  trusted = true;
  options: { readonly mode: Mode } = { mode: 'ask' };
  /** The next request that changes something fails with this. */
  failure: BelayError | undefined;
  /** Happens with each action on a server. */
  onAction: (server: string, action: string) => void = () => undefined;
  readonly #stale = new Listeners<readonly CenterSection[]>();

  constructor(clock: Clock, prepare: (stage: CenterStage) => void = () => undefined) {
    prepare(this);
    const write = (message: string): void => void this.logged.push(message);
    this.host = new CenterHost({
      clock,
      log: { debug: write, info: write, warn: write, error: write },
      handlers: this.#handlers(),
      follow: (stale) => [this.#stale.listen(stale)],
    });
  }

  /** Says that sections are not as they were. */
  changed(...sections: readonly CenterSection[]): void {
    this.#stale.fire(sections);
  }

  #handlers(): CenterHandlers {
    const call = async (words: string): Promise<null> => {
      this.calls.push(words);
      const { failure } = this;
      this.failure = undefined;
      if (failure !== undefined) throw failure;
      return null;
    };
    const isOn = (name: string, present: boolean, tools: readonly string[], on: boolean): boolean =>
      tools.includes(name) ? on : present;
    const list = async (): Promise<ProvidersView> => this.providers;
    const act = async (action: string, provider: string | null): Promise<void> =>
      void (await call(`${action} ${provider ?? ''}`.trim()));
    return {
      readServers: async () => ({
        rows: this.servers,
        deferred: false,
        trusted: this.trusted,
        mayChange: this.trusted,
      }),
      readServer: async () => this.details,
      readServerLog: async ({ after }) => {
        // As the host does: the answer comes with the next lines.
        while (this.log.length <= after)
          await new Promise((resolve) => setTimeout(resolve, 20).unref());
        return { lines: this.log.slice(Math.max(after, 0)), last: this.log.length };
      },
      serverAction: async ({ server, action }) => {
        await call(`${action} ${server}`);
        this.onAction(server, action);
        this.changed('mcp');
        return null;
      },
      addServer: async () => call('add'),
      approveTool: async ({ tool, effect }) => {
        await call(`approve ${tool} ${effect ?? 'by mode'}`);
        this.servers = this.servers.map((server) => ({
          ...server,
          tools: server.tools.map((one) =>
            one.name === tool ? { ...one, approval: effect } : one,
          ),
        }));
        return null;
      },
      ...modelsSection({ list, act }),
      readTools: async () => this.tools,
      switchTools: async ({ tools, on }) => {
        await call(`switch ${tools.join(',')} ${on ? 'on' : 'off'}`);
        this.tools = {
          modules: this.tools.modules.map((module) => ({
            ...module,
            tools: module.tools.map((one) => ({ ...one, on: isOn(one.name, one.on, tools, on) })),
          })),
        };
        this.servers = this.servers.map((server) => ({
          ...server,
          tools: server.tools.map((one) => ({ ...one, on: isOn(one.name, one.on, tools, on) })),
        }));
        return null;
      },
      ...rulesHandlers(rulesSection(this), () => null),
      readCustomizations: async () => this.customizations,
      switchCustomization: async ({ path, on }) => {
        await call(`use ${path} ${on ? 'on' : 'off'}`);
        const rows = this.customizations.rows.map((row) => ({
          ...row,
          on: row.path === path ? on : row.on,
        }));
        this.customizations = { ...this.customizations, rows };
        return null;
      },
      openCustomization: async ({ path }) => call(`open ${path}`),
      readUsage: async () => this.usage,
      compareSession: async ({ session }) => {
        await call(`compare ${session}`);
        return [
          { name: 'Claude Haiku 4.5', cost: '$0.42' },
          { name: 'Claude Opus 4.5', cost: '$2.10' },
        ];
      },
      exportUsage: async () => call('export usage'),
      ...memoryHandlers(this, call),
      readPrivacy: async () => this.privacy,
      readStorage: async () => this.storage,
      cleanUp: async ({ kind }) => {
        await call(`clean up ${kind}`);
        return { said: '3 checkpoints deleted; 1.2 MB are stored.' };
      },
      openSetting: async ({ setting }) => call(`setting ${setting}`),
      runCommand: async ({ command }) => call(command),
    };
  }
}
