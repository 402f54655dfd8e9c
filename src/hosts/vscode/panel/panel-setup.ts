import * as l10n from '@vscode/l10n';
import type { SessionOptions } from '../../../core/run/agent-service.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { ModelInfo } from '../../../domain/models/model.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { KeyNews, ModelMarks, PanelChoice, PanelSetup } from '../../../panel/services.ts';
import type { RecentModels } from '../../../window/models/recent-models.ts';
import type { KnownChecks } from '../models/known-checks.ts';
import type { WindowModels, WindowServers } from '../commands/services.ts';
import { hostOf, isLoopback } from '../../../providers/http/address.ts';
import { hasOwnKey } from '../../../providers/instance.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import type { KeySource, ProviderKeys } from '../secrets/provider-keys.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { WindowPersonas } from '../../../window/personas.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface SetupParts {
  readonly keys: ProviderKeys;
  readonly settings: SettingsReader;
  readonly workspace: Workspace;
  readonly models: WindowModels;
  readonly checks: Pick<KnownChecks, 'onChanged'>;
  readonly recentModels: RecentModels;
}

type Followed =
  | { readonly servers: Pick<WindowServers, 'problems' | 'onChange'> }
  | { readonly personas: WindowPersonas };

/** The window's setup for the panel: key, trust, folder, models, defaults. */
export class WindowSetup implements PanelSetup, Disposable {
  readonly choice: PanelChoice;
  readonly #parts: SetupParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());
  #servers: Pick<WindowServers, 'problems'> | undefined;
  #personas: WindowPersonas | undefined;
  #sources: ReadonlyMap<string, KeySource> = new Map();
  #told = '';
  #lost: string | undefined;

  private constructor(parts: SetupParts) {
    this.#parts = parts;
    this.choice = {
      demo: parts.models.demo,
      look: async () => parts.models.look(),
      settle: async (model) => this.#settle(model),
      personas: () => this.#personas?.count ?? 0,
    };
    const changed = (): void => this.#changed.fire();
    this.#lifetime.add(parts.settings.onChanged(changed));
    this.#lifetime.add(parts.settings.onChanged(() => void this.#readKeys()));
    this.#lifetime.add(parts.models.onChange(changed));
    this.#lifetime.add(parts.checks.onChanged(changed));
    this.#lifetime.add(parts.recentModels.onChanged(changed));
    this.#lifetime.add(parts.workspace.onTrusted(changed));
    this.#lifetime.add(parts.workspace.onRootsChanged(changed));
    this.#lifetime.add(parts.keys.onChanged(() => void this.#readKeys()));
  }

  /** Reads first whether there is a key. */
  static async make(parts: SetupParts): Promise<WindowSetup> {
    const setup = new WindowSetup(parts);
    await setup.#readKeys();
    return setup;
  }

  /** From now on tells of MCP servers, or of personas, too. */
  follow(more: Followed): void {
    if ('servers' in more) this.#servers = more.servers;
    else this.#personas = more.personas;
    const { onChange } = 'servers' in more ? more.servers : more.personas;
    this.#lifetime.add(onChange(() => this.#changed.fire()));
    this.#changed.fire();
  }

  /** A provider that is not built in can be asked. */
  hasKey(): boolean {
    return [...this.#sources.values()].some((source) => source !== 'none');
  }

  #marksOf({ id, provider, offline }: ModelInfo, marked: Marked): ModelMarks {
    const instance = marked.instances.find((one) => one.id === provider);
    const recent = marked.recent.indexOf(id);
    const source = this.#parts.models.sourceOf(id);
    return {
      source,
      providerName: offline === true ? l10n.t('Built in') : source.name || provider,
      // A model that is asked without a key of Belay's is ready.
      ready: (this.#sources.get(provider) ?? 'unneeded') !== 'none',
      local: source.kind === 'machine' || (instance !== undefined && isLoopback(instance.baseUrl)),
      favorite: marked.favorites.includes(id),
      recent: recent < 0 ? null : recent,
    };
  }

  keyNews(): KeyNews {
    const { keys } = this.#parts;
    const offered = this.#hasOwnKey() ? undefined : keys.variablesFor(keys.instances[0])[0];
    return { lost: this.#lost, offered };
  }

  serverProblems(): ReturnType<WindowServers['problems']> {
    return this.#servers?.problems() ?? [];
  }

  trusted(): boolean {
    return this.#parts.workspace.trusted;
  }

  hasWorkspace(): boolean {
    return this.#parts.workspace.roots.length > 0;
  }

  models(): ReturnType<PanelSetup['models']> {
    const { keys, models, recentModels, settings } = this.#parts;
    const marked = {
      instances: keys.instances,
      recent: recentModels.names,
      favorites: settings.get('model.favorites'),
    };
    return models.list().map((model) => ({ ...model, marks: this.#marksOf(model, marked) }));
  }

  /** In a workspace that is not trusted everybody only reads (security, rule 2). */
  defaults(): Required<SessionOptions> {
    const { settings } = this.#parts;
    const begun = this.#personas?.begun;
    const named = begun?.model ?? settings.get('model.name');
    return {
      persona: begun?.name ?? '',
      model: named === '' ? this.#parts.models.forNewSessions(this.#hasOwnKey()) : named,
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

  #hasOwnKey(): boolean {
    return (this.#sources.get(this.#parts.keys.instances[0].id) ?? 'none') !== 'none';
  }

  async #readKeys(): Promise<void> {
    const { keys } = this.#parts;
    const sources = await Promise.all(
      keys.instances.map(
        async ({ id }, index, all) => [id, await keys.source(all[index])] as const,
      ),
    );
    const lost = await keys.lost();
    const lostName = lost === undefined ? undefined : nameOfLost(lost);
    const told = JSON.stringify([sources, lostName]);
    if (told === this.#told) return;
    this.#told = told;
    this.#sources = new Map(sources);
    this.#lost = lostName;
    this.#changed.fire();
  }
}

/** The person's providers and chosen models, read once for a list of models. */
interface Marked {
  readonly instances: readonly ProviderInstance[];
  /** Ids, the newest first. */
  readonly recent: readonly string[];
  readonly favorites: readonly string[];
}

/** The default one by its host; it has no other name that a person gave it. */
const nameOfLost = (instance: ProviderInstance): string =>
  hasOwnKey(instance) ? hostOf(instance.baseUrl) : `${instance.name} (${hostOf(instance.baseUrl)})`;
