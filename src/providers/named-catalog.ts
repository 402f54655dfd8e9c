import type { ModelInfo } from '../domain/model.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Catalog, CatalogSources } from './catalog/catalog.ts';
import type { ModelNames, ProviderInstance } from './instance.ts';

/** The catalog of named instances, asked by the names of models as people choose them. */
export function createNamedCatalog(
  names: ModelNames,
  sources: Pick<CatalogSources, 'bundle' | 'updates'> = {},
): Catalog {
  const { instances } = names;
  const [first, ...others] = instances;
  const catalog = createCatalog({
    ...sources,
    offered: [first.id, ...others.map(({ id }) => id)],
    own: instances.flatMap(({ id, models }) => models.map((model) => ({ ...model, provider: id }))),
  });
  const named = (instance: ProviderInstance, model: ModelInfo): ModelInfo => ({
    ...model,
    id: names.nameOf(instance, model.id),
    provider: instance.id,
  });
  const of = (id: string): ProviderInstance =>
    instances.find((instance) => instance.id === id) ?? first;
  const modelsOf = (id: string): readonly ModelInfo[] =>
    catalog.modelsOf(id).map((model) => named(of(id), model));
  return {
    get models() {
      return instances.flatMap(({ id }) => modelsOf(id));
    },
    modelsOf,
    lookup: (name, provider) => {
      const { instance, model } = names.addressOf(name);
      const asked = provider === undefined ? instance : of(provider);
      const known = catalog.lookup(model, asked.id);
      return { ...named(asked, known), id: name };
    },
    knows: (name, provider) => {
      const { instance, model } = names.addressOf(name);
      return catalog.knows(model, provider ?? instance.id);
    },
    learn: (provider, listed) => catalog.learn(provider, listed),
    defaultModel: (provider) => {
      const model = catalog.defaultModel(provider);
      return model === undefined ? undefined : names.nameOf(of(provider), model);
    },
    smallModel: (name) => {
      const { instance, model } = names.addressOf(name);
      return names.nameOf(instance, catalog.smallModel(model, instance.id));
    },
  };
}

/** The model that answers where no other can be reached. */
export const offlineModel = ({ models }: Pick<Catalog, 'models'>): ModelInfo | undefined =>
  models.find(({ offline }) => offline === true);
