import { tells } from '../domain/failure.ts';
import { firstWords, generateTitle } from '../core/context/title.ts';
import { requestMask } from '../core/model-call/wrappers/masking.ts';
import { patientRecorder } from '../core/run/patient-recorder.ts';
import type { ModelCall, ModelRequest, Provider } from '../core/model-call/model-call.ts';
import { Pictures } from '../core/model-call/pictures.ts';
import type { Children } from '../core/agents/children.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { RunLedger } from '../core/tool-call/run-ledger.ts';
import type { EventBroker } from '../core/session/event-broker.ts';
import { type SessionRegistry, UNTITLED } from '../core/session/session-registry.ts';
import type { ModelInfo } from '../domain/models/model.ts';
import type { Session } from '../domain/session/session.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import type { ModelNames, ProviderInstance } from '../providers/instance.ts';
import { pictureLimits } from '../providers/picture-limits.ts';
import { createRegistry } from '../providers/registry.ts';
import { WIRES } from '../providers/wires.ts';
import type { Store } from '../store/store.ts';
import { composeBudget } from './budget.ts';
import type { EngineHost } from './engine-host.ts';
import { keyedOf, keyFor } from './keys.ts';
import { createModelCall } from './order.ts';

/** Milliseconds that a run waits for an exact count; the estimate serves then. */
const COUNT_TIMEOUT_MS = 3000;
/** Milliseconds a title may take; it delays nobody. */
const TITLE_TIMEOUT_MS = 60_000;

export interface Models {
  readonly catalog: Catalog;
  readonly call: ModelCall;
  /** The exact tokens of a request; `undefined` where its provider does not count, or not in time. */
  readonly countTokens: (request: ModelRequest) => Promise<number | undefined>;
}

/** The providers of instances as they are now: one that the person changes is another one, and its provider is made anew. */
function providersOf(
  host: EngineHost,
  { catalog, names }: { readonly catalog: Catalog; readonly names: ModelNames },
): Pick<ReadonlyMap<string, Provider>, 'get'> {
  const made = new WeakMap<ProviderInstance, Provider>();
  const make = (instance: ProviderInstance): Provider => {
    const provider = WIRES[instance.wire](instance, {
      apiKey: async () => keyFor(instance, host.model),
      infoOf: (model) => catalog.lookup(names.nameOf(instance, model)),
      catalog,
      cacheTtl: () => host.settings('model.cacheTtl'),
      clock: host.clock,
      keyed: keyedOf(instance, host.model),
      found: host.model.found,
      ...(host.model.send === undefined ? {} : { send: host.model.send }),
    });
    made.set(instance, provider);
    return provider;
  };
  return {
    get: (id) => {
      const instance = names.instances.find((one) => one.id === id);
      return instance === undefined ? undefined : (made.get(instance) ?? make(instance));
    },
  };
}

/** The providers behind the one model call. */
export function composeModels(
  host: EngineHost,
  parts: {
    readonly store: Pick<Store, 'recorder' | 'person' | 'ids'>;
    readonly catalog: Catalog;
    readonly names: ModelNames;
    readonly secrets: SecretBook;
    readonly runs: Pick<RunLedger, 'recorded'>;
    readonly children: Pick<Children, 'get' | 'count'>;
    readonly closing: AbortSignal;
  },
): Models {
  const { clock, log, settings, random } = host;
  const { store, catalog, names, secrets, runs, children, closing } = parts;
  const registry = createRegistry(names, providersOf(host, { catalog, names }));
  const mask = requestMask(secrets, () => settings('secrets.maskToolOutput'));
  const pictures = new Pictures(host.disk.pictures, (model) =>
    pictureLimits(names.addressOf(model).instance, catalog.lookup(model)),
  );
  const budget = composeBudget(host, {
    store,
    catalog,
    names,
    payer: (call) => children.get(call.sessionId)?.charged ?? call,
  });
  const call = createModelCall({
    budget,
    registry,
    catalog,
    settings,
    clock,
    log,
    random,
    mask,
    recorded: async (runId) => runs.recorded(runId),
    pictures,
    onUsage: (told) => {
      const isOpen = told.details?.open === true;
      if (!isOpen) children.count(told);
      const charged = children.get(told.sessionId)?.charged;
      const { details } = told;
      const usage =
        charged === undefined || details === undefined
          ? told
          : { ...told, details: { ...details, charged } };
      // A paid answer is recorded even if the disk is full at the moment.
      const recorder = patientRecorder(store.recorder, {
        clock,
        log,
        signal: closing,
        warn: (...sentences) => log.warn(tells(...sentences).message),
      });
      // An open call is recorded once more, and that record must come later.
      const recorded = (isOpen ? store.recorder : recorder).commit([{ kind: 'usage', usage }]);
      budget.gate.settle(usage, recorded);
      recorded.catch((error: unknown) => {
        log.error('The usage of a model call could not be recorded.', error);
      });
    },
  });
  return {
    catalog,
    call,
    async countTokens(request) {
      const signal = AbortSignal.any([closing, AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
      const { request: fitted } = await pictures.fitted(await mask(request), closing);
      return registry.countTokens(fitted, signal).catch(() => undefined);
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
    await retitle(registry, sessionId, first, untitled);
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
    await retitle(registry, sessionId, title, first);
  } catch (error) {
    host.log.warn('A session got no title.', { reason: String(error) });
  }
}

/** Gives a title of our own making, unless the person gave one meanwhile. */
async function retitle(
  registry: SessionRegistry,
  sessionId: string,
  title: string,
  replacing: string,
): Promise<void> {
  const { title: present } = await registry.get(sessionId);
  if (present === replacing || present === UNTITLED) await registry.rename(sessionId, title);
}

/** The model of a role (B2): its own, or the small one of `chosen`, the session's model. */
export function roleModel(
  role: 'title' | 'summary',
  { catalog }: Pick<Models, 'catalog'>,
  settings: EngineHost['settings'],
  chosen: string,
): ModelInfo {
  const own = settings(role === 'title' ? 'model.titleModel' : 'model.summaryModel');
  return catalog.lookup(own || settings('model.smallModel') || catalog.smallModel(chosen));
}
