import type { Provider } from '../core/model-call/model-call.ts';

export interface ProviderRegistry {
  readonly providers: readonly Provider[];
  /** The provider that lists the model; a name that nobody lists belongs to the first one, whose server may know it. */
  providerOf(model: string): Provider;
}

/** `providers`: the first one gets the models that no other lists. */
export function createRegistry(providers: readonly [Provider, ...Provider[]]): ProviderRegistry {
  return {
    providers,
    providerOf: (model) =>
      providers.find((provider) => provider.models().some(({ id }) => id === model)) ??
      providers[0],
  };
}
