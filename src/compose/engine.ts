import { Agent } from '../core/run/agent.ts';
import type { BackgroundChanges } from '../core/background/background-changes.ts';
import { EventBroker } from '../core/session/event-broker.ts';
import { environmentText, mayBeShown } from '../core/context/prompt/environment.ts';
import { PromptFiles } from '../core/context/prompt/prompt-files.ts';
import { DraftKeeper } from '../core/run/draft-keeper.ts';
import type { PathGuard } from '../core/permissions/path-guard.ts';
import type { Permissions } from '../core/permissions/permissions.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/disposable.ts';
import type { StartRunPorts } from '../core/run/start-run.ts';
import { noteAt } from '../core/restore/restore-values.ts';
import { SecretBook } from '../core/secrets/secret-book.ts';
import { SessionRegistry } from '../core/session/session-registry.ts';
import { lazy, lazyMethods } from '../domain/lazy.ts';
import { createCatalog } from '../providers/catalog/catalog.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import { readUpdates } from '../providers/catalog/updates.ts';
import { DEMO_MODEL } from '../providers/demo/demo-model.ts';
import { composeChanges } from './changes.ts';
import type { ChangesKit } from './changes.ts';
import { composeReview } from './review.ts';
import type { ReviewKit } from './review.ts';
import type { Reviews } from '../core/review/service/reviews.ts';
import type { AgentChanges } from '../core/restore/agent-changes.ts';
import { composeLanguage } from './language.ts';
import type { Running, RunningSources } from './running.ts';
import type { EngineTools, ToolSources } from './tools.ts';
import { TodoLists } from '../core/session/todo-lists.ts';
import { openStore } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import type { ProjectMemory } from '../core/permissions/rules/project-yes.ts';
import { composePermissions } from './permissions.ts';
import { composeCommands } from './commands.ts';
import type { Commands } from './commands.ts';
import type { RestoreKit } from './restore.ts';
import { storedPins } from './egress.ts';
import { warmUp } from './warm-up.ts';
import type { EngineHost } from './engine-host.ts';

export type { EngineHost } from './engine-host.ts';

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
  /** The model of a new session: the setting, else the provider's own, else the demo model. */
  modelFor(hasKey: boolean): string;
  /** A part of the record was lost when it was opened. */
  isDamaged(): boolean;
  /** Loads `first` and what a first message needs, in small turns, so that it need not wait for code. Never rejects. */
  warmUp(first: readonly (() => Promise<unknown>)[]): Promise<void>;
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
  const catalog = composeCatalog(given);
  const { registry, modelFor } = await composeSessions(given, store, broker, catalog);
  const review = await composeReview(given, store);
  const remembered = { ...memory, unreviewed: review.unreviewed };
  const { permissions, guard, egress, host } = composePermissions(given, registry, remembered);
  const language = composeLanguage(host, guard);
  const todos = new TodoLists(store.values, broker);
  const composed = composeBackground(host, { store, broker, review, closing });
  const { commands, changes } = composed;
  const tools = lazyTools(host, { store, todos, egress, commands, language, review });
  const promptFiles = new PromptFiles(host, guard);
  const sources = { store, permissions, tools: tools.offered, egress, language, changes, review };
  const { secrets } = memory;
  const more = { broker, registry, catalog, secrets, promptFiles, closing: closing.signal };
  const running = lazyRunning(host, { ...sources, ...more });
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
      prepare: async (start) => (await running()).prepare(start),
      stopAbandoned: host.stopAbandoned,
      isDamaged: () => isDamaged(store),
      promptHash: async (options, sessionId) => (await running()).promptHash(options, sessionId),
      environment: composeEnvironment(host, store, commands, promptFiles),
      news: { background: (id) => commands.news(id), review: (id) => review.news(id) },
      forgotten: async (sessionId) => commands.forget(sessionId),
      summaries: lazyMethods(async () => (await running()).summaries),
      titled: (session, text) => {
        running()
          .then(async ({ entitle }) => entitle(session, text))
          .catch((error: unknown) => log.error('A session got no title.', error));
      },
    },
    await store.runs.queued(),
  );
  const restoring = lazy(async () => {
    const { composeRestore } = await import('./restore.ts');
    return composeRestore(host, { store, agent, registry, changes });
  });
  return {
    agent,
    broker,
    store,
    todos,
    changes: changes?.changes,
    ...lazyRestore(restoring),
    checkpoints: changes,
    beside: changes?.beside,
    reviews: review.reviews,
    tools,
    guard,
    secrets: memory.secrets,
    commands,
    permissions,
    catalog,
    registry,
    modelFor,
    isDamaged: () => isDamaged(store),
    warmUp: async (first) => warmUp([...first, ...STEPS, running, restoring], log, closing.signal),
    dispose: async () => {
      await agent.dispose();
      await composed.dispose();
      await review.dispose();
      for (const listener of listening) listener.dispose();
      await store.close();
    },
  };
}

/** What a first message needs of code, in the order in which it is needed; small steps first load what others share. */
const STEPS: readonly (() => Promise<unknown>)[] = [
  async () => import('../providers/anthropic/provider.ts'),
  async () => import('./order.ts'),
  async () => import('./running.ts'),
  async () => import('../core/run/start-run.ts'),
  async () => import('../core/permissions/decide.ts'),
  async () => import('../tools/registry.ts'),
  async () => import('./tools.ts'),
  async () => import('../core/permissions/command/shell/shell-syntax.ts'),
  async () => import('../core/permissions/command/judge-command.ts'),
];

/** The tools, which are loaded when they are offered or shown for the first time. */
function lazyTools(host: EngineHost, sources: ToolSources): EngineTools {
  return lazyMethods(async () => {
    const { composeTools } = await import('./tools.ts');
    return composeTools(host, sources);
  });
}

function lazyRunning(host: EngineHost, sources: RunningSources): () => Promise<Running> {
  return lazy(async () => {
    const { composeRunning } = await import('./running.ts');
    return composeRunning(host, sources);
  });
}

/** The ways back, each loaded when a person takes one. */
function lazyRestore(kit: () => Promise<RestoreKit>): RestoreKit {
  return {
    restore: lazyMethods(async () => (await kit()).restore),
    redo: lazyMethods(async () => (await kit()).redo),
    fork: lazyMethods(async () => (await kit()).fork),
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
  catalog: Catalog,
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

/** The models that can be chosen; their providers are loaded with the first run. */
function composeCatalog({ settings }: EngineHost): Catalog {
  const { updates } = readUpdates(settings('model.catalog'));
  return createCatalog({ offered: ['anthropic', 'demo'], own: [DEMO_MODEL], updates });
}
