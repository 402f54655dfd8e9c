import type { SessionOptions } from '../../../core/run/agent-service.ts';
import type { Disposable } from '../../../domain/disposable.ts';
import type { ModelInfo } from '../../../domain/model.ts';
import { Lifetime } from '../../../domain/lifetime.ts';
import type { PanelChoice, PanelSetup } from '../../../panel/services.ts';
import type { WindowModels, WindowServers } from '../commands/services.ts';
import type { ApiKey } from '../secrets/api-key.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { Listeners } from '../../../domain/listeners.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface SetupParts {
  readonly apiKey: ApiKey;
  readonly settings: SettingsReader;
  readonly workspace: Workspace;
  readonly models: WindowModels;
}

/** The window's setup for the panel: key, trust, folder, models, defaults. */
export class WindowSetup implements PanelSetup, Disposable {
  readonly choice: PanelChoice;
  readonly #parts: SetupParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());
  #servers: Pick<WindowServers, 'problems'> | undefined;
  #key = false;
  #lost: string | undefined;

  private constructor(parts: SetupParts) {
    this.#parts = parts;
    this.choice = {
      demo: parts.models.demo,
      sourceOf: (model) => parts.models.sourceOf(model),
      look: async () => parts.models.look(),
      settle: async (model) => this.#settle(model),
    };
    const changed = (): void => this.#changed.fire();
    this.#lifetime.add(parts.settings.onChanged(changed));
    this.#lifetime.add(parts.settings.onChanged(() => void this.#readKey()));
    this.#lifetime.add(parts.models.onChange(changed));
    this.#lifetime.add(parts.workspace.onTrusted(changed));
    this.#lifetime.add(parts.workspace.onRootsChanged(changed));
    this.#lifetime.add(parts.apiKey.onChanged(() => void this.#readKey()));
  }

  /** Reads first whether there is a key. */
  static async make(parts: SetupParts): Promise<WindowSetup> {
    const setup = new WindowSetup(parts);
    await setup.#readKey();
    return setup;
  }

  /** From now on tells of MCP servers, too. */
  follow(servers: Pick<WindowServers, 'problems' | 'onChange'>): void {
    this.#servers = servers;
    this.#lifetime.add(servers.onChange(() => this.#changed.fire()));
    this.#changed.fire();
  }

  hasKey(): boolean {
    return this.#key;
  }

  lostKey(): string | undefined {
    return this.#lost;
  }

  serverProblems(): readonly string[] {
    return this.#servers?.problems() ?? [];
  }

  trusted(): boolean {
    return this.#parts.workspace.trusted;
  }

  hasWorkspace(): boolean {
    return this.#parts.workspace.roots.length > 0;
  }

  models(): readonly ModelInfo[] {
    return this.#parts.models.list();
  }

  /** In a workspace that is not trusted everybody only reads (security, rule 2). */
  defaults(): Required<SessionOptions> {
    const { settings } = this.#parts;
    const named = settings.get('model.name');
    return {
      model: named === '' ? this.#parts.models.forNewSessions(this.#key) : named,
      mode: this.trusted() ? settings.get('permissions.mode') : 'read',
      thinking: settings.get('model.thinking'),
    };
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.listen(listener);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #settle(model: string | undefined): Promise<void> {
    const { models, settings } = this.#parts;
    const isFound = (name: string): boolean =>
      ['editor', 'machine'].includes(models.sourceOf(name).kind);
    const isOpen = model === undefined && settings.get('model.name') === '';
    const name = model ?? this.defaults().model;
    const isKnown = models.list().some(({ id }) => id === name);
    // The person's word needs no look, but to know a model of its kind.
    if (isOpen ? name === models.demo || isFound(name) : isFound(name) && !isKnown)
      await models.look();
  }

  async #readKey(): Promise<void> {
    const key = (await this.#parts.apiKey.source()) !== 'none';
    const lost = await this.#parts.apiKey.lost();
    if (key === this.#key && lost === this.#lost) return;
    this.#key = key;
    this.#lost = lost;
    this.#changed.fire();
  }
}
