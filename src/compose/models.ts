import { firstWords, generateTitle } from '../core/context/title.ts';
import { patientRecorder } from '../core/run/patient-recorder.ts';
import type { ModelCall } from '../core/model-call/model-call.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { EventBroker } from '../core/session/event-broker.ts';
import type { SessionRegistry } from '../core/session/session-registry.ts';
import type { Session } from '../domain/session.ts';
import { createAnthropicProvider } from '../providers/anthropic/provider.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import { createDemoProvider } from '../providers/demo/demo-provider.ts';
import { createRegistry } from '../providers/registry.ts';
import type { Store } from '../store/store.ts';
import type { EngineHost } from './engine-host.ts';
import { createModelCall } from './order.ts';

/** Milliseconds a title may take; it delays nobody. */
const TITLE_TIMEOUT_MS = 60_000;

export interface Models {
  readonly catalog: Catalog;
  readonly call: ModelCall;
}

/** The providers behind the one model call. */
export function composeModels(
  { clock, log, settings, random, model: { apiKey, keyed } }: EngineHost,
  parts: {
    readonly store: Pick<Store, 'recorder'>;
    readonly catalog: Catalog;
    readonly secrets: SecretBook;
    readonly closing: AbortSignal;
  },
): Models {
  const { store, catalog, secrets, closing } = parts;
  const anthropic = createAnthropicProvider({
    apiKey,
    baseUrl: () => settings('model.baseUrl'),
    cacheTtl: () => settings('model.cacheTtl'),
    catalog,
    clock,
    keyed,
  });
  const registry = createRegistry([anthropic, createDemoProvider({ clock })]);
  const call = createModelCall({
    registry,
    catalog,
    settings,
    clock,
    log,
    random,
    secrets,
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
  // The library's code is read while the person types, not after.
  void anthropic.warmUp?.();
  return { catalog, call };
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
    if (!host.model.titlesByModel || chosen.provider === 'demo') return;
    const model = catalog.lookup(
      host.settings('model.smallModel') || catalog.smallModel(chosen.id),
    );
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
