import type { ModelInfo } from '../domain/models/model.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Catalog, CatalogSources } from './catalog/catalog.ts';
import type { Instances, ModelNames, ProviderInstance } from './instance.ts';

type Sources = Pick<CatalogSources, 'bundle' | 'updates'>;

/** Facts about the models of instances, by the names that these have for them. */
function catalogOf(instances: Instances, sources: Sources): Catalog {
  const [first, ...others] = instances;
  const catalog = createCatalog({
    ...sources,
    offered: [first.id, ...others.map(({ id }) => id)],
    own: instances.flatMap(({ id, models }) => models.map((model) => ({ ...model, provider: id }))),
    presetOf: (id) => instances.find((instance) => instance.id === id)?.preset ?? id,
  });
  for (const { id, listed = [] } of instances) if (listed.length > 0) catalog.learn(id, listed);
  return catalog;
}

/** The catalog of named instances, asked by the names of models as people choose them; it follows their change. */
export function createNamedCatalog(names: ModelNames, sources: Sources = {}): Catalog {
  let known: { readonly of: Instances; readonly catalog: Catalog } | undefined;
  const now = (): Catalog => {
    const { instances } = names;
    if (known?.of !== instances) known = { of: instances, catalog: catalogOf(instances, sources) };
    return known.catalog;
  };
  const named = (instance: ProviderInstance, model: ModelInfo): ModelInfo => ({
    ...model,
    id: names.nameOf(instance, model.id),
    provider: instance.id,
  });
  const of = (id: string): ProviderInstance =>
    names.instances.find((instance) => instance.id === id) ?? names.instances[0];
  const modelsOf = (id: string): readonly ModelInfo[] =>
    now()
      .modelsOf(id)
      .map((model) => named(of(id), model));
  return {
    get models() {
      return names.instances.flatMap(({ id }) => modelsOf(id));
    },
    modelsOf,
    lookup: (name, provider) => {
      const { instance, model } = names.addressOf(name);
      const asked = provider === undefined ? instance : of(provider);
      const known = now().lookup(model, asked.id);
      return { ...named(asked, known), id: name };
    },
    knows: (name, provider) => {
      const { instance, model } = names.addressOf(name);
      return now().knows(model, provider ?? instance.id);
    },
    learn: (provider, listed) => now().learn(provider, listed),
    defaultModel: (provider) => {
      const model = now().defaultModel(provider);
      return model === undefined ? undefined : names.nameOf(of(provider), model);
    },
    smallModel: (name) => {
      const { instance, model } = names.addressOf(name);
      return names.nameOf(instance, now().smallModel(model, instance.id));
    },
  };
}

/** The model that answers where no other can be reached. */
export const offlineModel = ({ models }: Pick<Catalog, 'models'>): ModelInfo | undefined =>
  models.find(({ offline }) => offline === true);
