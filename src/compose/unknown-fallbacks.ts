import { told, type Told } from '../domain/text/told.ts';
import type { EngineBase } from './base.ts';
import type { BaseHost, HostModel } from './engine-host.ts';

/** Tells which models of the setting `model.fallbacks` no provider has, as far as that can be known. */
export async function findUnknownFallbacks(
  { settings, model }: Pick<BaseHost, 'settings'> & { readonly model: Pick<HostModel, 'found'> },
  { catalog, names }: Pick<EngineBase, 'catalog' | 'names'>,
): Promise<readonly Told[]> {
  const isUnknown = (name: string): boolean => {
    const { instance } = names.addressOf(name);
    // Another address, or a provider of the user, may have models that nobody lists.
    const isListed = instance === names.instances[0] && instance.baseUrl === '';
    return isListed && !catalog.knows(name);
  };
  const unknown = settings('model.fallbacks').filter(isUnknown);
  if (unknown.length > 0) await model.found?.look();
  return unknown
    .filter(isUnknown)
    .map(
      (name) =>
        told`belay.model.fallbacks: no provider is known to have the model ${JSON.stringify(name)}.`,
    );
}
