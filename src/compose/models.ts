import { firstWords, generateTitle } from '../core/context/title.ts';
import { requestMask } from '../core/model-call/wrappers/masking.ts';
import { patientRecorder } from '../core/run/patient-recorder.ts';
import type { ModelCall, ModelRequest, Provider } from '../core/model-call/model-call.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { EventBroker } from '../core/session/event-broker.ts';
import type { SessionRegistry } from '../core/session/session-registry.ts';
import type { ModelInfo } from '../domain/model.ts';
import type { Session } from '../domain/session.ts';
import { createAnthropicProvider } from '../providers/anthropic/provider.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import { createChatProvider } from '../providers/chat/provider.ts';
import { createDemoProvider } from '../providers/demo/demo-provider.ts';
import type { ModelNames, ProviderInstance, WireName } from '../providers/instance.ts';
import { createRegistry } from '../providers/registry.ts';
import type { Store } from '../store/store.ts';
import type { EngineHost, HostModel } from './engine-host.ts';
import { createModelCall } from './order.ts';

/** Milliseconds a title may take; it delays nobody. */
/** Milliseconds that a run waits for an exact count; the estimate serves then. */
const COUNT_TIMEOUT_MS = 3000;
const TITLE_TIMEOUT_MS = 60_000;

export interface Models {
  readonly catalog: Catalog;
  readonly call: ModelCall;
  /** The exact tokens of a request; `undefined` where its provider does not count, or not in time. */
  readonly countTokens: (request: ModelRequest) => Promise<number | undefined>;
}

/** The parts of a provider, beside its instance. */
interface ProviderParts
  extends Pick<EngineHost, 'clock' | 'settings'>, Pick<HostModel, 'apiKey' | 'keyOf' | 'keyed'> {
  readonly catalog: Catalog;
  /** A model's limits and prices, by the name that the instance has for it. */
  readonly infoOf: (model: string) => ModelInfo;
}

/** The setting that holds the addresses of the instances a person has set up. */
const INSTANCES_SETTING = 'belay.model.providers';

/** How a provider of each wire is made. */
const WIRES: Readonly<
  Record<WireName, (instance: ProviderInstance, parts: ProviderParts) => Provider>
> = {
  messages: (instance, { catalog, infoOf, clock, settings, keyed, ...keys }) =>
    createAnthropicProvider({
      id: instance.id,
      ...(hasOwnKey(instance) ? {} : { setting: INSTANCES_SETTING }),
      apiKey: async () => keyFor(instance, keys),
      baseUrl: () => instance.baseUrl,
      cacheTtl: () => settings('model.cacheTtl'),
      catalog,
      infoOf,
      clock,
      keyed,
    }),
  chat: (instance, { catalog, infoOf, clock, keyed, ...keys }) =>
    createChatProvider({
      instance,
      setting: INSTANCES_SETTING,
      apiKey: async () => keyFor(instance, keys),
      infoOf,
      models: () => catalog.models.filter(({ provider }) => provider === instance.id),
      clock,
      keyed,
    }),
  demo: (_, { clock }) => createDemoProvider({ clock }),
};

const hasOwnKey = ({ key }: ProviderInstance): boolean => key !== undefined && 'own' in key;

async function keyFor(
  instance: ProviderInstance,
  { apiKey, keyOf }: Pick<ProviderParts, 'apiKey' | 'keyOf'>,
): Promise<string | undefined> {
  if (hasOwnKey(instance)) return apiKey();
  return instance.key === undefined ? undefined : keyOf?.(instance.key);
}

/** The providers behind the one model call. */
export function composeModels(
  host: EngineHost,
  parts: {
    readonly store: Pick<Store, 'recorder'>;
    readonly catalog: Catalog;
    readonly names: ModelNames;
    readonly secrets: SecretBook;
    readonly closing: AbortSignal;
  },
): Models {
  const { clock, log, settings, random } = host;
  const { store, catalog, names, secrets, closing } = parts;
  const providers = new Map(
    names.instances.map((instance) => [
      instance.id,
      WIRES[instance.wire](instance, {
        ...host,
        ...host.model,
        catalog,
        infoOf: (model) => catalog.lookup(names.nameOf(instance, model)),
      }),
    ]),
  );
  const registry = createRegistry(names, providers);
  const mask = requestMask(secrets, () => settings('secrets.maskToolOutput'));
  const call = createModelCall({
    registry,
    catalog,
    settings,
    clock,
    log,
    random,
    mask,
    onUsage: (usage) => {
      // A paid answer is recorded even if the disk is full at the moment.
      const recorder = patientRecorder(store.recorder, {
        clock,
        log,
        signal: closing,
        warn: (message) => log.warn(message),
      });
      recorder.commit([{ kind: 'usage', usage }]).catch((error: unknown) => {
        log.error('The usage of a model call could not be recorded.', error);
      });
    },
  });
  return {
    catalog,
    call,
    async countTokens(request) {
      const signal = AbortSignal.any([closing, AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
      return registry.countTokens(await mask(request), signal).catch(() => undefined);
    },
  };
}

/** The title of a new session: the first words at once, the model's when it comes (B10). Never rejects. */
export async function entitle(
  sources: {
    readonly host: EngineHost;
    readonly models: Models;
    readonly registry: SessionRegistry;
    readonly broker: EventBroker;
  },
  { id: sessionId, title: untitled }: Session,
  text: string,
): Promise<void> {
  const { host, models, registry, broker } = sources;
  const { catalog, call } = models;
  try {
    const first = firstWords(text);
    await registry.entitle(sessionId, first, untitled);
    const chosen = catalog.lookup(registry.optionsOf(sessionId).model);
    if (!host.model.titlesByModel || chosen.offline === true) return;
    const model = roleModel('title', models, host.settings, chosen.id);
    const title = await generateTitle({
      call,
      model,
      text,
      sessionId,
      runId: '',
      emit: (event) => broker.publish(sessionId, '', event),
      signal: AbortSignal.timeout(TITLE_TIMEOUT_MS),
    });
    await registry.entitle(sessionId, title, first);
  } catch (error) {
    host.log.warn('A session got no title.', { reason: String(error) });
  }
}

/** The model of a role (B2): its own, or the small one of `chosen`, the session's model. */
export function roleModel(
  role: 'title' | 'summary',
  { catalog }: Models,
  settings: EngineHost['settings'],
  chosen: string,
): ModelInfo {
  const own = settings(role === 'title' ? 'model.titleModel' : 'model.summaryModel');
  return catalog.lookup(own || settings('model.smallModel') || catalog.smallModel(chosen));
}
