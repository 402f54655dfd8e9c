import { Agent } from '../core/run/agent.ts';
import { DetachedRuns } from '../core/run/detached-runs.ts';
import { DraftKeeper } from '../core/run/session/draft-keeper.ts';
import type { StartRunPorts } from '../core/run/start-run.ts';
import { RESUMED_KEY } from '../domain/session/session-values.ts';
import type { ModelNotice } from '../core/run/model-notices.ts';
import { EventBroker } from '../core/session/event-broker.ts';
import { SessionRegistry } from '../core/session/session-registry.ts';
import type { FollowUps } from '../core/session/follow-ups.ts';
import { Journals } from '../core/session/journals.ts';
import { TodoLists } from '../core/session/todo-lists.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { ended } from '../domain/lifetime/ended.ts';
import { RECALLED } from '../domain/memory.ts';
import { lazyMethods } from '../domain/lifetime/lazy.ts';
import { defaultInstance } from '../providers/anthropic/instance.ts';
import { createNamedCatalog, offlineModel } from '../providers/named-catalog.ts';
import { readUpdates } from '../providers/catalog/updates.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import { DEMO_INSTANCE } from '../providers/demo/demo-model.ts';
import { besides } from '../providers/found/found-models.ts';
import { asksPerson, ModelNames, type ProviderInstance } from '../providers/instance.ts';
import { liveInstances } from '../providers/instances-setting.ts';
import { type Store, openStore } from '../store/store.ts';
import { type Commands, composeCommands } from './commands.ts';
import type { BegunPersona } from '../core/customizations/persona.ts';
import type { BaseHost } from './engine-host.ts';
import type { Running } from './running.ts';

/** The part of the engine that shows sessions and takes messages; runs load the rest. */
export interface EngineBase {
  readonly agent: Agent;
  readonly broker: EventBroker;
  readonly store: Store;
  readonly todos: TodoLists;
  readonly journals: Journals;
  readonly commands: Commands;
  readonly catalog: Catalog;
  readonly names: ModelNames;
  readonly registry: SessionRegistry;
  /** The model of a new session: the setting, else the provider's own, else the demo model. */
  modelFor(hasKey: boolean): string;
  /** A part of the record was lost when it was opened. */
  isDamaged(): boolean;
  dispose(): Promise<void>;
}

/** The engine's services for runs, behind the base. */
export interface RunSupport {
  readonly environment: StartRunPorts['environment'];
  /** News of the person's decisions, for the model. */
  readonly reviewNews: (sessionId: string) => readonly ModelNotice[];
  readonly running: Running;
  /** Prompts that come back into their sessions. */
  readonly followUps: FollowUps;
  /** Names of the offered tools that only read; `undefined` in a workspace that is not trusted. */
  readonly readOnlyTools: () => Promise<ReadonlySet<string> | undefined>;
  /** A persona by its name, or the one that a session begins with; rejects when it is gone. @param model the session's */
  readonly persona: (model: string, chosen?: string) => Promise<BegunPersona>;
}

/** @param behind loads what runs need, once */
export async function openBase(
  host: BaseHost,
  behind: () => Promise<{ readonly runs: RunSupport }>,
): Promise<EngineBase> {
  const { clock, log } = host;
  const store = await composeStore(host);
  const broker = new EventBroker(clock, log, {
    events: async (...asked) => store.transcripts.events(...asked),
    flush: async () => store.recorder.flush(),
  });
  const journals = new Journals(store.values, broker);
  const listening = listen(broker, store, clock);
  const chosen = composeCatalog(host);
  const runs = async (): Promise<RunSupport> => (await behind()).runs;
  const begun = async (model: string) => (await runs()).persona(model);
  const { registry, modelFor } = await composeSessions(host, store, { broker, ...chosen, begun });
  const commands = composeCommands(host, store);
  const running = async (): Promise<Running> => (await runs()).running;
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
      attachment: async (...asked) => store.blobs.attachment(...asked),
      sessions: registry,
      prepare: async (start) => (await running()).prepare(start),
      stopAbandoned: host.commands.stopAbandoned,
      followUps: { start: async (wake) => (await runs()).followUps.start(wake) },
      parallelRuns: () => host.settings('advanced.parallelRuns'),
      isDamaged: () => isDamaged(store),
      autoResume: async ({ id, sessionId }) => {
        if (host.settings('loop.resume') !== 'auto') return undefined;
        if ((await new DetachedRuns(store).wished(sessionId)) !== undefined) return undefined;
        if ((await store.values.get(RESUMED_KEY, sessionId)) === id) return undefined;
        await store.values.set(RESUMED_KEY, id, sessionId);
        return (await runs()).readOnlyTools();
      },
      asksPerson: (model) => asksPerson(chosen.names.addressOf(model).instance),
      promptHash: async (options, sessionId) => (await running()).promptHash(options, sessionId),
      environment: async (...given) => (await runs()).environment(...given),
      memories: async (text) =>
        host.settings('memory.enabled') ? store.memories.recall(text, RECALLED) : [],
      journal: async (sessionId, opening) =>
        opening === 'message' && !(await wasCutOff(store, sessionId))
          ? undefined
          : journals.read(sessionId),
      news: {
        background: (id) => commands.news(id),
        review: async (id) => [...(await runs()).reviewNews(id), ...(await journals.news(id))],
      },
      summaries: lazyMethods(async () => (await running()).summaries),
      beside: {
        first: (session, text) => {
          running()
            .then(async ({ entitle }) => entitle(session, text))
            .catch((error: unknown) => log.error('A session got no title.', error));
        },
        removed: async (sessionId) => commands.forget(sessionId),
      },
    },
    await store.runs.queued(),
  );
  return {
    agent,
    broker,
    store,
    todos: new TodoLists(store.values, broker),
    journals,
    commands,
    ...chosen,
    registry,
    modelFor,
    isDamaged: () => isDamaged(store),
    dispose: async () =>
      ended(
        async () => agent.dispose(),
        async () => commands.dispose(),
        ...listening.map((listener) => () => listener.dispose()),
        async () => store.close(),
      ),
  };
}

/** True when the last run of a session did not come to its end: a limit, a failure, a crash, a stop (C10). */
async function wasCutOff({ runs }: Store, sessionId: string): Promise<boolean> {
  const last = (await runs.runs({ sessionId })).at(-1);
  return last !== undefined && last.end?.reason !== 'done';
}

async function composeStore({ store, clock, log, settings }: BaseHost) {
  const busyTimeoutMs = settings('advanced.databaseTimeoutSeconds') * 1000;
  const { data: folder, storeWorker: worker, person } = store;
  return openStore({ folder, worker, person, clock, log, busyTimeoutMs });
}

interface SessionSources extends Models {
  readonly broker: EventBroker;
  readonly begun: RunSupport['persona'];
}

interface Sessions {
  readonly registry: SessionRegistry;
  readonly modelFor: (hasKey: boolean) => string;
}

/** The sessions and their options; which model a new one gets depends on whether there is a key. */
async function composeSessions(
  host: BaseHost,
  store: Store,
  { broker, catalog, names, begun }: SessionSources,
): Promise<Sessions> {
  const { settings } = host;
  const [first] = names.instances;
  let hasKey = (await host.model.apiKey()) !== undefined;
  const modelFor = (known: boolean): string => {
    hasKey = known;
    // A server of one's own may need no key.
    const reachable = known || first.baseUrl !== '' || first.key === undefined;
    // Where the default one cannot answer, what the person has added can, and then what was found.
    const { instances } = names;
    const found = host.model.found?.instances ?? [];
    const added = instances.filter(
      (one) => one.id !== first.id && one.wire !== 'demo' && !found.includes(one),
    );
    const own = (reachable ? [first] : added)
      .map(({ id }) => catalog.defaultModel(id))
      .find((model) => model !== undefined);
    const there = host.model.found
      ?.firstModels()
      .find(({ instance }) => instances.includes(instance));
    return (
      settings('model.name') ||
      own ||
      (there && names.nameOf(there.instance, there.model)) ||
      (offlineModel(catalog)?.id ?? '')
    );
  };
  const registry = new SessionRegistry({
    clock: host.clock,
    ids: store.ids,
    broker,
    recorder: store.recorder,
    transcripts: store.transcripts,
    channels: store.channels,
    own: host.store.channel,
    values: store.values,
    defaults: () => ({
      model: modelFor(hasKey),
      mode: settings('permissions.mode'),
      thinking: settings('model.thinking'),
      persona: '',
    }),
    begun,
    namesModel: () => settings('model.name') !== '',
  });
  await registry.load();
  return { registry, modelFor };
}

/** True when part of the record is lost and cannot be named; the person was told. */
function isDamaged({ lost, problems }: Store): boolean {
  return lost || problems.some((problem) => problem.lost === true);
}

/** Everything that happens in a run is kept for the timeline (C11), and what is being written as a draft. */
function listen(broker: EventBroker, { recorder }: Store, clock: Clock): readonly Disposable[] {
  const events = broker.listen((event) => recorder.events([event]));
  return [events, new DraftKeeper(broker, recorder, clock)];
}

type Models = Pick<EngineBase, 'catalog' | 'names'>;

/** The same list each time. */
const NOTHING_FOUND: readonly ProviderInstance[] = [];

/** The models that can be chosen; their providers are loaded with the first run. */
function composeCatalog({ settings, model }: BaseHost): Models {
  const { updates } = readUpdates(settings('model.catalog'));
  const [first = defaultInstance(() => settings('model.baseUrl')), ...others] =
    model.instances ?? [];
  const instances = liveInstances(
    [first, ...others],
    () => settings('model.providers'),
    () => model.found?.instances ?? NOTHING_FOUND,
    (chosen, found) => [...besides(chosen, found), DEMO_INSTANCE],
  );
  const names = new ModelNames(instances);
  return { catalog: createNamedCatalog(names, { updates }), names };
}
