import type { Provider } from '../core/model-call/model-call.ts';
import type { InstanceOptions } from './http/instance-wire.ts';

/** A provider whose code is loaded when it is first asked. */
export function lateProvider(
  options: InstanceOptions,
  load: (options: InstanceOptions) => Promise<Provider>,
): Provider {
  let loading: Promise<Provider> | undefined;
  const loaded = (): Promise<Provider> => (loading ??= load(options));
  return {
    id: options.instance.id,
    models: options.models,
    async *call(request, context) {
      yield* (await loaded()).call(request, context);
    },
    countTokens: async (request, signal) => (await loaded()).countTokens?.(request, signal),
    fetchModels: async (signal) => (await (await loaded()).fetchModels?.(signal)) ?? [],
  };
}
