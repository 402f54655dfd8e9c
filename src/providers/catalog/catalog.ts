import { costOf } from '../../core/model-call/cost.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import { type Bundle, type PresetFacts, bundledModels } from './bundle.ts';
import { DEFAULT_MODELS } from './default-models.ts';
import { Shelf, unknownModel, updated, withUpdates } from './shelf.ts';
import type { ModelUpdate } from './updates.ts';

/**
 * Facts of models (D6, B12). One id has other limits and prices at each provider, so every question is about
 * a provider; without one it is about those that are offered. What the person says of a model wins over what its
 * provider lists, and that over the list that came with Belay.
 */
export interface Catalog {
  /** The models of the providers that are offered, in the order in which they are offered. */
  readonly models: readonly ModelInfo[];
  modelsOf(provider: string): readonly ModelInfo[];
  /**
   * A model by its id; else by another way to write it (dated snapshots, names of gateways); else with the limits of
   * the longest name that it begins with or contains, without a price; else the fallback of D6. The last two are
   * `guessed`.
   */
  lookup(id: string, provider?: string): ModelInfo;
  /** False when `lookup` can only guess. */
  knows(id: string, provider?: string): boolean;
  /** Takes over what a provider lists now: only these models are offered then. An empty list is none. */
  learn(provider: string, listed: readonly ModelUpdate[]): void;
  /** The model for new sessions of a provider. */
  defaultModel(provider: string): string | undefined;
  /** A cheap model of the same provider as `id`; `id` itself when none is known to be cheaper (B10, B11). */
  smallModel(id: string, provider?: string): string;
}

export interface CatalogSources {
  /** Providers whose models are offered, in this order; ids without a provider are theirs, unknown ones the first's. */
  readonly offered: readonly [string, ...string[]];
  /** Models that Belay itself brings. */
  readonly own?: readonly ModelInfo[];
  /** The person's word: the setting `model.catalog`. */
  readonly updates?: readonly ModelUpdate[];
  /** The preset that an instance was made of; absent: instances are named as their presets. */
  readonly presetOf?: (provider: string) => string;
  /** Absent: the list that came with Belay. */
  readonly bundle?: () => Bundle;
}

/** Makes a catalog. The bundled list is opened by the first question that needs it. */
export function createCatalog(sources: CatalogSources): Catalog {
  return new LayeredCatalog(sources);
}

class LayeredCatalog implements Catalog {
  readonly #sources: CatalogSources;
  readonly #listed = new Map<string, readonly ModelUpdate[]>();
  /** Without what the person says. */
  readonly #impersonal = new Map<string, Shelf>();
  readonly #shelves = new Map<string, Shelf>();

  constructor(sources: CatalogSources) {
    this.#sources = sources;
  }

  get models(): readonly ModelInfo[] {
    return this.#sources.offered.flatMap((provider) => this.modelsOf(provider));
  }

  modelsOf(provider: string): readonly ModelInfo[] {
    return this.#shelf(provider).models;
  }

  lookup(id: string, provider?: string): ModelInfo {
    return (
      this.#find(id, provider) ??
      this.#like(id, provider) ??
      this.#unknown(id, provider ?? this.#sources.offered[0])
    );
  }

  knows(id: string, provider?: string): boolean {
    return this.#find(id, provider) !== undefined;
  }

  learn(provider: string, listed: readonly ModelUpdate[]): void {
    this.#listed.set(provider, listed);
    this.#impersonal.delete(provider);
    this.#shelves.clear();
  }

  defaultModel(provider: string): string | undefined {
    const named = DEFAULT_MODELS[this.#presetName(provider)];
    const listed = this.#listed.get(provider) ?? [];
    const isThere = listed.length === 0 || listed.some(({ id }) => id === named);
    return named !== undefined && isThere ? named : this.modelsOf(provider)[0]?.id;
  }

  smallModel(id: string, provider?: string): string {
    const chosen = this.#find(id, provider) ?? this.#like(id, provider);
    if (chosen === undefined) return id;
    const small = this.#preset(chosen.provider)?.smallModel;
    const personal = new Set(this.#sources.updates?.map((update) => update.id));
    const models = this.modelsOf(chosen.provider);
    // The cheapest of a list of hundreds is none that anybody wants to work with.
    const isSmall = (model: ModelInfo): boolean =>
      small === undefined
        ? !this.#isBundled(chosen.provider)
        : model.id === small || personal.has(model.id);
    const cheapest = [chosen, ...models.filter(isSmall)].reduce((left, right) =>
      sample(right) < sample(left) ? right : left,
    );
    return cheapest.id;
  }

  #find(id: string, provider: string | undefined): ModelInfo | undefined {
    return (
      first(this.#asked(provider), (shelf) => shelf.exact(id)) ??
      first(this.#asked(provider), (shelf) => shelf.find(id))
    );
  }

  #like(id: string, provider: string | undefined): ModelInfo | undefined {
    const near = first(this.#asked(provider), (shelf) => shelf.like(id));
    return near ?? (provider === undefined ? undefined : this.#elsewhere(id, provider));
  }

  /** Other providers' word of a model, the least of each limit. A server of one's own may have it any size. */
  #elsewhere(id: string, provider: string): ModelInfo | undefined {
    if (!this.#isBundled(provider)) return undefined;
    const found = this.#bundle().providers.flatMap((other) => this.#shelf(other).find(id) ?? []);
    const [one] = found;
    if (one === undefined) return undefined;
    return {
      ...this.#unknown(id, provider),
      name: one.name,
      contextWindow: Math.min(...found.map((model) => model.contextWindow)),
      maxOutputTokens: Math.min(...found.map((model) => model.maxOutputTokens)),
      thinking: found.every((model) => model.thinking),
      vision: found.every((model) => model.vision),
    };
  }

  #unknown(id: string, provider: string): ModelInfo {
    const flags = this.#preset(provider)?.flags;
    return { ...unknownModel(id, provider), ...(flags === undefined ? {} : { flags }) };
  }

  /** Where an id is looked for, one after another: what Belay brings itself needs no list. */
  *#asked(provider: string | undefined): Generator<Shelf> {
    const isOwn = (offered: string): boolean => this.#own(offered).length > 0;
    const { offered } = this.#sources;
    const asked =
      provider === undefined
        ? [...offered.filter(isOwn), ...offered.filter((one) => !isOwn(one))]
        : [provider];
    for (const one of asked) yield this.#shelf(one);
  }

  #shelf(provider: string): Shelf {
    let shelf = this.#shelves.get(provider);
    if (shelf === undefined) {
      shelf = this.#withPersonal(provider);
      this.#shelves.set(provider, shelf);
    }
    return shelf;
  }

  #withPersonal(provider: string): Shelf {
    const below = this.#shelfBelow(provider);
    const offered: ModelUpdate[] = [];
    const known: ModelUpdate[] = [];
    for (const update of this.#sources.updates ?? []) {
      const own = { ...update, provider };
      const rest = this.#withoutProvider(update, provider);
      if (rest !== undefined) offered.push({ ...own, id: rest });
      const place = this.#placeOf(update, provider, below);
      if (place !== 'nowhere') (place === 'offered' ? offered : known).push(own);
    }
    if (offered.length + known.length === 0) return below;
    const unknown = (id: string): ModelInfo => below.find(id) ?? this.#unknown(id, provider);
    return new Shelf(
      withUpdates(below.models, offered, unknown),
      withUpdates(below.known, known, unknown),
    );
  }

  /** The id of a model that the person named as `provider/id`. */
  #withoutProvider({ id, provider: named }: ModelUpdate, provider: string): string | undefined {
    return named === undefined && id.startsWith(`${provider}/`)
      ? id.slice(provider.length + 1)
      : undefined;
  }

  /** Where a provider has what the person says of a model. An id alone is about every provider that has it. */
  #placeOf(update: ModelUpdate, provider: string, below: Shelf): 'offered' | 'known' | 'nowhere' {
    if (update.provider !== undefined) return update.provider === provider ? 'offered' : 'nowhere';
    if (below.exact(update.id) !== undefined) return 'offered';
    const [firstOffered, ...others] = this.#sources.offered;
    if (provider !== firstOffered) return 'nowhere';
    if (others.some((other) => this.#shelfBelow(other).exact(update.id) !== undefined))
      return 'nowhere';
    // `openai/gpt-5` is a model of OpenAI; a gateway in the first provider's place may call its own so.
    const [prefix = '', ...path] = update.id.split('/');
    const isNamed =
      path.length > 0 &&
      (this.#sources.offered.includes(prefix) || this.#bundle().preset(prefix) !== undefined);
    return isNamed ? 'known' : 'offered';
  }

  #shelfBelow(provider: string): Shelf {
    let shelf = this.#impersonal.get(provider);
    if (shelf === undefined) {
      shelf = this.#withListed(provider);
      this.#impersonal.set(provider, shelf);
    }
    return shelf;
  }

  #withListed(provider: string): Shelf {
    const own = this.#own(provider);
    const bundled = own.length > 0 ? [] : this.#bundle().models(this.#listName(provider));
    const flags = this.#preset(provider)?.flags;
    const known = [...own, ...bundled].map((model) => ({
      ...model,
      provider,
      ...(model.flags === undefined && flags !== undefined ? { flags } : {}),
    }));
    const listed = this.#listed.get(provider) ?? [];
    if (listed.length === 0) return new Shelf(known);
    const before = new Shelf(known);
    const unknown = (id: string): ModelInfo =>
      before.find(id) ?? before.like(id) ?? this.#unknown(id, provider);
    const models = listed.map((entry) => {
      const bundledModel = before.exact(entry.id);
      return updated(bundledModel, withKnownPrices(entry, bundledModel), unknown);
    });
    return new Shelf(
      models.map((model) => ({ ...model, provider })),
      known,
    );
  }

  #own(provider: string): readonly ModelInfo[] {
    return (this.#sources.own ?? []).filter((model) => model.provider === provider);
  }

  #bundle(): Bundle {
    return (this.#sources.bundle ?? bundledModels)();
  }

  #isBundled(provider: string): boolean {
    return this.#bundle().providers.includes(this.#listName(provider));
  }

  #presetName(provider: string): string {
    return this.#sources.presetOf?.(provider) ?? provider;
  }

  #preset(provider: string): PresetFacts | undefined {
    return this.#own(provider).length > 0
      ? undefined
      : this.#bundle().preset(this.#presetName(provider));
  }

  /** The list of an instance in the bundle. */
  #listName(provider: string): string {
    return this.#preset(provider)?.list ?? this.#presetName(provider);
  }
}

function first<T, R>(items: Iterable<T>, of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lists have no prices of long prompts and long caches: where they agree, what is known of those holds. */
function withKnownPrices(entry: ModelUpdate, known: ModelInfo | undefined): ModelUpdate {
  const agree =
    known?.prices !== undefined &&
    entry.prices?.longPrompt === undefined &&
    entry.prices?.input === known.prices.input &&
    entry.prices.output === known.prices.output;
  return agree ? { ...entry, prices: known.prices } : entry;
}

/** The price of a typical small call, to compare models by; unknown is more than any. */
function sample({ prices }: ModelInfo): number {
  if (prices === undefined) return Infinity;
  const usage = { inputTokens: 3000, outputTokens: 300, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return costOf(usage, prices);
}
