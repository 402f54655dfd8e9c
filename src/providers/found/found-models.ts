import type { EditorModel, EditorModels } from '../../core/ports/editor/editor-models.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import { PRESETS } from '../catalog/presets.ts';
import type { ModelUpdate } from '../catalog/updates.ts';
import { parsedJson } from '../http/fields.ts';
import type { ProviderInstance } from '../instance.ts';
import { type LocalServer, LOCAL_SERVERS, modelsAt } from '../local/local-server.ts';
import { modelInfo } from '../vscode-lm/models.ts';

/** The instance of the models that the editor itself has. */
export const EDITOR_INSTANCE = 'editor';

export interface FoundModelsOptions {
  /** Absent: there is no editor that has models. */
  readonly editor?: EditorModels | undefined;
  /** Origins of servers by their instances; absent: the usual ports on loopback. */
  readonly origins?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that a look waits for local servers. */
  readonly waitMs?: number;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
}

/** Milliseconds that a look waits: for servers on this machine, and for extensions to start. What comes later counts, too. */
const MACHINE_WAIT_MS = 300;
const EDITOR_WAIT_MS = 5000;
/**
 * Milliseconds after which a server that has not told its models is none. A look does not wait for it; a machine that
 * starts VS Code, or loads a model, was seen to take more than three seconds.
 */
const ANSWER_MS = 30_000;
/** Milliseconds within which the same question is not asked again. */
const FRESH_MS = 2000;

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * Models that are there without any setting: those of the editor, and of servers on this machine. Nothing is looked
 * for before it is asked for. The instances always have their names, so that a session whose model is gone says so.
 */
export class FoundModels implements Disposable {
  readonly #options: FoundModelsOptions;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());
  #editor: readonly EditorModel[] = [];
  readonly #local = new Map<string, readonly ModelUpdate[]>();
  /** Servers that have not answered yet: a slow one is not asked twice, so that no earlier answer comes after a later one. */
  readonly #asked = new Map<string, Promise<void>>();
  #instances: readonly ProviderInstance[];
  #looking: Promise<void> | undefined;
  #lookedAt = -Infinity;

  constructor(options: FoundModelsOptions) {
    this.#options = options;
    this.#instances = this.#made();
    const again = (): void => {
      if (this.#lookedAt > -Infinity) void this.#lookInEditor();
    };
    if (options.editor !== undefined) this.#lifetime.add(options.editor.onChange(again));
  }

  /** The same list until something changes. */
  get instances(): readonly ProviderInstance[] {
    return this.#instances;
  }

  get editor(): EditorModels | undefined {
    return this.#options.editor;
  }

  /** The editor's models as they were told last. */
  get editorModels(): readonly EditorModel[] {
    return this.#editor;
  }

  onChange(listener: () => void): Disposable {
    return this.#changed.listen(listener);
  }

  /** The instances that can answer, in the order of the first choice, each with the model to begin with. */
  firstModels(): readonly { readonly instance: ProviderInstance; readonly model: string }[] {
    return this.#instances.flatMap((instance) => {
      const model =
        instance.wire === 'vscode-lm'
          ? this.#editor.find(({ tools }) => tools !== false)?.id
          : instance.listed?.[0]?.id;
      return model === undefined ? [] : [{ instance, model }];
    });
  }

  /** Looks for models now; whoever asks meanwhile gets the same answer. Never rejects. */
  async look(): Promise<void> {
    if (performance.now() - this.#lookedAt < FRESH_MS) return;
    this.#looking ??= this.#lookEverywhere();
    await this.#looking;
  }

  /** The window that a model was found to have when it answered. */
  learnWindow(instance: string, model: string, contextWindow: number): void {
    const models = this.#local.get(instance);
    if (models?.some(({ id }) => id === model) !== true) return;
    const learned = models.map((one) => (one.id === model ? { ...one, contextWindow } : one));
    this.#local.set(instance, learned);
    this.#update();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #lookEverywhere(): Promise<void> {
    await Promise.all([this.#lookInEditor(), this.#lookOnMachine()]);
    this.#looking = undefined;
    this.#lookedAt = performance.now();
  }

  async #lookInEditor(): Promise<void> {
    const { editor } = this.#options;
    if (editor === undefined) return;
    const listed = async (): Promise<void> => {
      this.#editor = await editor.list();
      this.#update();
    };
    await within(EDITOR_WAIT_MS, listed());
  }

  async #lookOnMachine(): Promise<void> {
    const { waitMs = MACHINE_WAIT_MS } = this.#options;
    const asked = LOCAL_SERVERS.flatMap((server) => {
      const origin = this.#originOf(server);
      if (origin === undefined) return [];
      const asking = this.#asked.get(server.id) ?? this.#ask(server, origin);
      this.#asked.set(server.id, asking);
      return [asking];
    });
    await within(waitMs, Promise.all(asked));
  }

  async #ask(server: LocalServer, origin: string): Promise<void> {
    const { fetch: send = fetch } = this.#options;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const models = await modelsAt(server, origin, { signal, send });
    this.#asked.delete(server.id);
    this.#local.set(server.id, models ?? []);
    this.#update();
  }

  #originOf({ id, preset }: { readonly id: string; readonly preset: string }): string | undefined {
    const { origins } = this.#options;
    return origins === undefined ? new URL(presetOf(preset).baseUrl).origin : origins[id];
  }

  #update(): void {
    // An instance that is as it was stays the same: what its provider has learned is kept.
    const made = this.#made().map((one) => {
      const text = JSON.stringify(one);
      return this.#instances.find((known) => JSON.stringify(known) === text) ?? one;
    });
    const isSame = made.every((one, index) => one === this.#instances[index]);
    if (isSame) return;
    this.#instances = made;
    this.#changed.fire();
  }

  #made(): readonly ProviderInstance[] {
    const editor: ProviderInstance = {
      id: EDITOR_INSTANCE,
      name: 'VS Code',
      wire: 'vscode-lm',
      baseUrl: '',
      preset: EDITOR_INSTANCE,
      models: this.#editor.map((model) => modelInfo(model, EDITOR_INSTANCE)),
    };
    const servers = LOCAL_SERVERS.flatMap(({ id, preset }): ProviderInstance[] => {
      const origin = this.#originOf({ id, preset });
      if (origin === undefined) return [];
      return [
        {
          id,
          name: presetOf(preset).name,
          wire: 'chat',
          baseUrl: `${origin}/v1`,
          preset,
          ...(id === 'ollama' ? { flags: { ollama: true } } : {}),
          models: [],
          listed: (this.#local.get(id) ?? []).map((model) => ({ ...model, prices: FREE })),
        },
      ];
    });
    return [...(this.#options.editor === undefined ? [] : [editor]), ...servers];
  }
}

/** Instances that were found beside those that the person has set up: theirs win, by name and by address. */
export function besides(
  own: readonly ProviderInstance[],
  found: readonly ProviderInstance[],
): readonly ProviderInstance[] {
  const addresses = new Set(own.map(({ baseUrl }) => placeOf(baseUrl)));
  return found
    .filter(({ id }) => own.every((one) => one.id !== id))
    .map((one) => (addresses.has(placeOf(one.baseUrl)) && one.baseUrl !== '' ? hidden(one) : one));
}

/** It offers nothing, but sessions that have its models still name it. */
const hidden = (one: ProviderInstance): ProviderInstance => ({ ...one, listed: [] });

const placeOf = (address: string): string =>
  URL.canParse(address)
    ? new URL(address).host.replace(/^(?:localhost|\[::1\])/u, '127.0.0.1')
    : '';

/** For tests: other origins on loopback in the place of the usual ports, as JSON in `BELAY_LOCAL_SERVERS`. */
export function serverOrigins(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> | undefined {
  const given = environment['BELAY_LOCAL_SERVERS'];
  if (given === undefined) return undefined;
  const origins = parsedJson(given);
  if (!isJsonObject(origins)) return {};
  const loopback = Object.entries(origins).filter(
    ([, origin]) => typeof origin === 'string' && /^http:\/\/127\.0\.0\.1:\d+$/u.test(origin),
  );
  return Object.fromEntries(loopback) as Record<string, string>;
}

/** Waits for work, but not longer; a failure of it is none of whoever waits. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const waiting = Promise.withResolvers<void>();
  const timer = setTimeout(() => waiting.resolve(), milliseconds);
  await Promise.race([work.catch(() => undefined), waiting.promise]);
  clearTimeout(timer);
}

function presetOf(id: string) {
  const preset = PRESETS.find((one) => one.id === id);
  if (preset === undefined) throw new Error(`There is no preset ${id}.`);
  return preset;
}
