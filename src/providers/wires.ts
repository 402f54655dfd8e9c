import type { CacheTtl } from '../core/model-call/cost.ts';
import type { Provider } from '../core/model-call/model-call.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ModelInfo } from '../domain/models/model.ts';
import { createAnthropicProvider } from './anthropic/provider.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createChatProvider } from './chat/provider.ts';
import { createDemoProvider } from './demo/demo-provider.ts';
import type { FoundModels } from './found/found-models.ts';
import type { KeyedAddresses, Send } from './http/client.ts';
import type { InstanceOptions } from './http/instance-wire.ts';
import { hasOwnKey, isBearerToken } from './instance.ts';
import type { ProviderInstance, WireName } from './instance.ts';
import { INSTANCES_SETTING } from './instances-setting.ts';
import { lateProvider } from './late-provider.ts';
import { createEditorProvider } from './vscode-lm/provider.ts';

/** The parts of a provider, beside its instance. */
export interface WireParts {
  /** The key of the instance; asked for each call. */
  readonly apiKey: () => Promise<string | undefined>;
  /** A model's limits and prices, by the name that the instance has for it. */
  readonly infoOf: (model: string) => ModelInfo;
  readonly catalog: Catalog;
  readonly cacheTtl: () => CacheTtl;
  readonly clock: Clock;
  /** Addresses that had a key of the instance; absent: a missing key is nobody's loss. */
  readonly keyed?: KeyedAddresses | undefined;
  /** Models that are there without a setting; absent: nothing is looked for. */
  readonly found?: FoundModels | undefined;
  /** Absent: by `fetch`. */
  readonly send?: Send;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
}

/**
 * The wires, one line each: how a provider is made of an instance. All else about an instance, its list of
 * models and the check of its connection too, goes through `Provider`. A wire that a person can name in the
 * setting is a line of `SETTABLE_WIRES`, too, and one of `SERVED_BY` for its presets.
 */
export const WIRES: Readonly<
  Record<WireName, (instance: ProviderInstance, parts: WireParts) => Provider>
> = {
  messages: (instance, parts) =>
    createAnthropicProvider({
      ...(hasOwnKey(instance) ? {} : { instance, setting: INSTANCES_SETTING }),
      ...parts,
      bearer: () => isBearerToken(instance),
      baseUrl: () => instance.baseUrl,
    }),
  chat: (instance, parts) =>
    createChatProvider({
      ...optionsOf(instance, parts),
      onWindow: (model, window) => parts.found?.learnWindow(instance.id, model, window),
    }),
  responses: (instance, parts) =>
    lateProvider(optionsOf(instance, parts), async (options) => {
      const { createResponsesProvider } = await import('./responses/provider.ts');
      return createResponsesProvider(options);
    }),
  gemini: (instance, parts) =>
    lateProvider(optionsOf(instance, parts), async (options) => {
      const { createGeminiProvider } = await import('./gemini/provider.ts');
      return createGeminiProvider(options);
    }),
  'vscode-lm': ({ id }, { clock, found }) => {
    const editor = found?.editor;
    if (editor === undefined) throw new Error('There is no editor that has models.');
    return createEditorProvider({ id, editor, known: () => found?.editorModels ?? [], clock });
  },
  demo: (_, { clock }) => createDemoProvider({ clock }),
};

const optionsOf = (instance: ProviderInstance, parts: WireParts): InstanceOptions => ({
  ...parts,
  instance,
  setting: INSTANCES_SETTING,
  models: () => parts.catalog.modelsOf(instance.id),
});
