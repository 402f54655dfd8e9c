import type { ModelInfo, ModelPrices } from '../../domain/models/model.ts';
import { canonicalName, containsName, extendsName, hasOwnPrice } from './model-names.ts';
import type { ModelUpdate } from './updates.ts';

/** D6: the window of a model that nobody knows. */
const UNKNOWN_CONTEXT_WINDOW = 8192;
/** Half of the unknown window: the rest is for the prompt. */
const UNKNOWN_OUTPUT_LIMIT = 4096;
/** Characters of the shortest name that is looked for within another. */
const SHORTEST_PART = 6;

/** The models of one provider, with the ways to find one. */
export class Shelf {
  /** In the order in which they are offered. */
  readonly models: readonly ModelInfo[];
  /** Can be found, but are not offered: the provider does not list them. */
  readonly known: readonly ModelInfo[];
  readonly #byId: ReadonlyMap<string, ModelInfo>;
  readonly #byName = new Map<string, ModelInfo>();

  constructor(models: readonly ModelInfo[], known: readonly ModelInfo[] = []) {
    this.models = models;
    this.known = known;
    const all = [...models, ...known];
    this.#byId = new Map(all.toReversed().map((model) => [model.id, model]));
    for (const model of all) {
      const name = canonicalName(model.id);
      const first = this.#byName.get(name);
      if (first === undefined || (hasOwnPrice(first.id) && !hasOwnPrice(model.id)))
        this.#byName.set(name, model);
    }
  }

  /** A model by its exact id. */
  exact(id: string): ModelInfo | undefined {
    return this.#byId.get(id);
  }

  /** A model by any way to write its name. */
  find(id: string): ModelInfo | undefined {
    const exact = this.#byId.get(id);
    if (exact !== undefined) return exact;
    const alias = this.#byName.get(canonicalName(id));
    if (alias === undefined) return undefined;
    return hasOwnPrice(id) ? { ...withoutPrice(alias), id } : { ...alias, id };
  }

  /** The limits of the model whose name is most like it: the longest that `id` begins with, else that it contains. */
  like(id: string): ModelInfo | undefined {
    const name = canonicalName(id);
    const longest = (matches: (known: string) => boolean): ModelInfo | undefined => {
      const names = [...this.#byName.keys()].filter((known) => known !== '' && matches(known));
      const best = names.reduce((left, right) => (right.length > left.length ? right : left), '');
      return this.#byName.get(best);
    };
    const near =
      longest((known) => extendsName(name, known)) ??
      longest((known) => known.length >= SHORTEST_PART && containsName(name, known));
    return near === undefined ? undefined : { ...withoutPrice(near), id, guessed: true };
  }
}

/** Puts what is said of models over what is known of them; models that nobody knew come last. */
export function withUpdates(
  models: readonly ModelInfo[],
  updates: readonly ModelUpdate[],
  unknown: (id: string) => ModelInfo,
): readonly ModelInfo[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  for (const update of updates) byId.set(update.id, updated(byId.get(update.id), update, unknown));
  return [...byId.values()];
}

/** A model as an update has it: with the limits that somebody vouches for, it is no guess any more. */
export function updated(
  known: ModelInfo | undefined,
  update: ModelUpdate,
  unknown: (id: string) => ModelInfo,
): ModelInfo {
  const { guessed, ...base } = known ?? unknown(update.id);
  const stillGuessed = guessed === true && update.contextWindow === undefined;
  return { ...base, ...update, ...(stillGuessed ? { guessed: true } : {}) };
}

/**
 * A model nobody knows: a small window (D6), no thinking, no price. Images and forced tools are
 * tried: a server that refuses them says so, and the request is repaired.
 */
export function unknownModel(id: string, provider: string): ModelInfo {
  return {
    id,
    name: id,
    provider,
    contextWindow: UNKNOWN_CONTEXT_WINDOW,
    maxOutputTokens: UNKNOWN_OUTPUT_LIMIT,
    thinking: false,
    vision: true,
    toolChoice: true,
    guessed: true,
  };
}

function withoutPrice(model: ModelInfo): ModelInfo {
  const copy: Omit<ModelInfo, 'prices'> & { prices?: ModelPrices } = { ...model };
  delete copy.prices;
  return copy;
}
