import { Agent } from '../core/run/agent.ts';
import type { BackgroundChanges } from '../core/background/background-changes.ts';
import { EventBroker } from '../core/session/event-broker.ts';
import { environmentText, mayBeShown } from '../core/context/prompt/environment.ts';
import { PromptFiles } from '../core/context/prompt/prompt-files.ts';
import { firstWords, generateTitle } from '../core/context/title.ts';
import { DraftKeeper } from '../core/run/draft-keeper.ts';
import type { ModelCall } from '../core/model-call/model-call.ts';
import type { PathGuard } from '../core/permissions/path-guard.ts';
import type { Permissions } from '../core/permissions/permissions.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/disposable.ts';
import type { StartRunPorts } from '../core/run/start-run.ts';
import { noteAt } from '../core/restore/restore-values.ts';
import { patientRecorder } from '../core/run/patient-recorder.ts';
import { SecretBook } from '../core/secrets/secret-book.ts';
import { SessionRegistry } from '../core/session/session-registry.ts';
import { SessionSummaries } from '../core/session/session-summaries.ts';
import type { Session } from '../domain/session.ts';
import { createAnthropicProvider } from '../providers/anthropic/provider.ts';
import { ANTHROPIC_MODELS } from '../providers/anthropic/models.ts';
import { createCatalog, readUpdates } from '../providers/catalog.ts';
import type { Catalog } from '../providers/catalog.ts';
import { createDemoProvider } from '../providers/demo/demo-provider.ts';
import { composeChanges } from './changes.ts';
import type { ChangesKit } from './changes.ts';
import { composeReview } from './review.ts';
import type { ReviewKit } from './review.ts';
import type { Reviews } from '../core/review/service/reviews.ts';
import type { AgentChanges } from '../core/restore/agent-changes.ts';
import { composeLanguage, composeTools } from './tools.ts';
import type { EngineTools } from './tools.ts';
import { TodoLists } from '../core/session/todo-lists.ts';
import { createRegistry } from '../providers/registry.ts';
import { createModelCall } from './order.ts';
import { openStore } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import type { ProjectMemory } from '../core/permissions/rules/project-yes.ts';
import { composePermissions } from './permissions.ts';
import { composeCommands } from './commands.ts';
import type { Commands } from './commands.ts';
import { composeRestore } from './restore.ts';
import type { RestoreKit } from './restore.ts';
import { storedPins } from './egress.ts';
import { composeContext, composeRuns } from './run.ts';
import type { Models } from './run.ts';
import type { EngineHost } from './engine-host.ts';

export type { EngineHost } from './engine-host.ts';

/** Milliseconds a title may take; it delays nobody. */
const TITLE_TIMEOUT_MS = 60_000;

export interface Engine extends RestoreKit {
  readonly agent: Agent;
  readonly broker: EventBroker;
  readonly store: Store;
  readonly todos: TodoLists;
  /** Absent where the host takes no snapshots of the workspace. */
  readonly changes: AgentChanges | undefined;
  readonly checkpoints: Pick<ChangesKit, 'requests' | 'storage'> | undefined;
  /** What changes while commands run in the background; absent where nothing of it is recorded. */
  readonly beside: BackgroundChanges | undefined;
  /** Absent where nobody reviews. */
  readonly reviews: Reviews | undefined;
  readonly tools: EngineTools;
  readonly guard: PathGuard;
  /** The secret values that are known, for whatever leaves. */
  readonly secrets: Pick<SecretBook, 'mask'>;
  readonly commands: Commands;
  readonly permissions: Permissions;
  readonly catalog: Catalog;
  readonly registry: SessionRegistry;
  readonly modelCall: ModelCall;
  /** The model of a new session: the setting, else the provider's own, else the demo model. */
  modelFor(hasKey: boolean): string;
  /** A part of the record was lost when it was opened. */
  isDamaged(): boolean;
  dispose(): Promise<void>;
}

/** Puts the engine together: the one place that knows every concrete class. */
export async function openEngine(given: EngineHost): Promise<Engine> {
  const { clock, log } = given;
  const store = await composeStore(given);
  const broker = new EventBroker(clock, log);
  const listening = listen(broker, store, clock);
  const closing = new AbortController();
  const memory = await memoryOf(given, store);
  const models = composeModels(given, store, memory.secrets, closing.signal);
  const { registry, modelFor } = await composeSessions(given, store, broker, models);
  const review = await composeReview(given, store);
  const remembered = { ...memory, unreviewed: review.unreviewed };
  const { permissions, guard, egress, host } = composePermissions(given, registry, remembered);
  const language = composeLanguage(host, guard);
  const todos = new TodoLists(store.values, broker);
  const composed = composeBackground(host, { store, broker, review, closing });
  const { commands, changes } = composed;
  const tools = composeTools(host, { store, todos, egress, commands, language, review });
  const promptFiles = new PromptFiles(host, guard);
  const context = composeContext(host, store, models, promptFiles);
  const agent = new Agent(
    {
      clock,
      ids: store.ids,
      log,
      broker,
      recorder: store.recorder,
      transcripts: store.transcripts,
      runs: store.runs,
      leases: store.leases,
      sessions: registry,
      prepare: composeRuns(host, {
        store,
        permissions,
        models,
        tools: tools.offered,
        context,
        egress,
        language,
        changes,
        review,
      }),
      stopAbandoned: host.stopAbandoned,
      isDamaged: () => isDamaged(store),
      promptHash: async (options, sessionId) => {
        const offered = await tools.offered();
        const parts = await context({ ...registry.optionsOf(sessionId), ...options }, offered);
        return (await parts.builder.build({ messages: [], tools: offered })).promptHash;
      },
      environment: composeEnvironment(host, store, commands, promptFiles),
      news: { background: (id) => commands.news(id), review: (id) => review.news(id) },
      forgotten: async (sessionId) => commands.forget(sessionId),
      summaries: new SessionSummaries({
        broker,
        recorder: store.recorder,
        transcripts: store.transcripts,
        prepare: async (options) => context(options, await tools.offered()),
      }),
      titled: (session, text) => void entitle({ host, models, registry, broker }, session, text),
    },
    await store.runs.queued(),
  );
  return {
    agent,
    broker,
    store,
    todos,
    changes: changes?.changes,
    ...composeRestore(host, { store, agent, registry, changes }),
    checkpoints: changes,
    beside: changes?.beside,
    reviews: review.reviews,
    tools,
    guard,
    secrets: memory.secrets,
    commands,
    permissions,
    catalog: models.catalog,
    registry,
    modelCall: models.call,
    modelFor,
    isDamaged: () => isDamaged(store),
    dispose: async () => {
      await agent.dispose();
      await composed.dispose();
      await review.dispose();
      for (const listener of listening) listener.dispose();
      await store.close();
    },
  };
}

/** Commands and what changes beside them; also looks for what earlier processes left behind, nothing waits for that. */
function composeBackground(
  host: EngineHost,
  parts: {
    readonly store: Store;
    readonly broker: EventBroker;
    readonly review: ReviewKit;
    readonly closing: AbortController;
  },
): {
  readonly commands: Commands;
  readonly changes: ChangesKit | undefined;
  dispose(): Promise<void>;
} {
  const { store, broker, review, closing } = parts;
  const commands = composeCommands(host, store);
  const changes = composeChanges(host, store, broker, review, commands.background);
  const abandoned = changes?.beside?.recover() ?? commands.background?.stopAbandoned();
  return {
    commands,
    changes,
    dispose: async () => {
      await commands.dispose();
      await abandoned;
      await changes?.beside?.finish();
      closing.abort();
      changes?.dispose();
    },
  };
}

async function composeStore({ data, storeWorker, clock, log, settings }: EngineHost) {
  const busyTimeoutMs = settings('store.busyTimeout') * 1000;
  return openStore({ folder: data, worker: storeWorker, clock, log, busyTimeoutMs });
}

interface Sessions {
  readonly registry: SessionRegistry;
  readonly modelFor: (hasKey: boolean) => string;
}

/** The sessions and their options; which model a new one gets depends on whether there is a key. */
async function composeSessions(
  host: EngineHost,
  store: Store,
  broker: EventBroker,
  { catalog }: Models,
): Promise<Sessions> {
  const { settings } = host;
  let hasKey = (await host.apiKey()) !== undefined;
  const modelFor = (known: boolean): string => {
    hasKey = known;
    // A server of one's own may need no key.
    const reachable = known || settings('model.baseUrl') !== '';
    const own = reachable ? catalog.defaultModel('anthropic') : undefined;
    return settings('model.name') || own || 'demo';
  };
  const registry = new SessionRegistry({
    clock: host.clock,
    ids: store.ids,
    broker,
    recorder: store.recorder,
    transcripts: store.transcripts,
    values: store.values,
    defaults: () => ({
      model: modelFor(hasKey),
      mode: settings('permissions.mode'),
      thinking: settings('model.thinking'),
    }),
  });
  await registry.load();
  return { registry, modelFor };
}

/** What is noted beside the person's message. */
function composeEnvironment(
  host: EngineHost,
  { values }: Store,
  commands: Commands,
  promptFiles: PromptFiles,
): StartRunPorts['environment'] {
  return async (sessionId, previous, cursor) => {
    const restored = await noteAt(values, sessionId, cursor);
    const background = commands.notes(sessionId);
    return environmentText(
      {
        ...host.environment(),
        ...(host.seen === undefined ? {} : await mayBeShown(host.seen(), promptFiles)),
        background,
        ...(restored === undefined ? {} : { restored }),
      },
      previous,
    );
  };
}

/** What the person has said yes to once for this workspace, and the secret values that are known. */
async function memoryOf(host: EngineHost, store: Store) {
  const key = 'project-yes';
  const project: ProjectMemory = {
    read: async () => store.values.get(key),
    write: async (value) => store.values.set(key, value),
  };
  return { pins: await storedPins(host, store), project, secrets: new SecretBook(host.secrets) };
}

/** Whether something of the record was lost that nobody can name; the person was told. */
function isDamaged({ lost, problems }: Store): boolean {
  return lost || problems.some((problem) => problem.lost === true);
}

/** Everything that happens in a run is kept for the timeline (C11), and what is being written as a draft. */
function listen(broker: EventBroker, { recorder }: Store, clock: Clock): readonly Disposable[] {
  const events = broker.listen((event) => recorder.events([event]));
  return [events, new DraftKeeper(broker, recorder, clock)];
}

function composeModels(
  { clock, log, settings, random, apiKey, keyed }: EngineHost,
  store: Store,
  secrets: SecretBook,
  closing: AbortSignal,
): Models {
  const demo = createDemoProvider({ clock });
  const { updates } = readUpdates(settings('model.catalog'));
  const catalog = createCatalog([...ANTHROPIC_MODELS, ...demo.models()], updates);
  const anthropic = createAnthropicProvider({
    apiKey,
    baseUrl: () => settings('model.baseUrl'),
    cacheTtl: () => settings('model.cacheTtl'),
    catalog,
    clock,
    keyed,
  });
  const registry = createRegistry([anthropic, demo]);
  const call = createModelCall({
    registry,
    catalog,
    settings,
    clock,
    log,
    random,
    secrets,
    onUsage: (usage) => {
      // What was paid for is recorded even if the disk is full at the moment.
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
  // Its code is read while the person types, not after.
  void anthropic.warmUp?.();
  return { catalog, call };
}

/** The title of a new session: the first words at once, the model's when it comes (B10). Never rejects. */
async function entitle(
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
    if (!host.titlesByModel || chosen.provider === 'demo') return;
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
