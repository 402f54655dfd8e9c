import { Agent } from './core/agent.ts';
import type { SessionOptions } from './core/agent-service.ts';
import { EventBroker } from './core/broker.ts';
import { ContextBuilder } from './core/context/builder.ts';
import { loadCl100k } from './core/context/cl100k.ts';
import { Compactor } from './core/context/compact.ts';
import { environmentText } from './core/context/environment.ts';
import type { EnvironmentSnapshot } from './core/context/environment.ts';
import { TokenEstimator } from './core/context/estimate.ts';
import { loadInstructions } from './core/context/instructions.ts';
import { ScheduledCompaction } from './core/context/scheduled-compaction.ts';
import { systemPrompt } from './core/context/system-prompt.ts';
import { firstWords, generateTitle } from './core/context/title.ts';
import { DraftKeeper } from './core/draft-keeper.ts';
import type { ModelCall } from './core/model-call/model-call.ts';
import { createDecide } from './core/permissions/decide.ts';
import { PathGuard } from './core/permissions/path-guard.ts';
import { autoCompaction } from './core/policies/auto-compaction.ts';
import { compactionProgress } from './core/policies/compaction-progress.ts';
import { contextGuard } from './core/policies/context-guard.ts';
import { contextOverflow } from './core/policies/context-overflow.ts';
import { emptyTurn } from './core/policies/empty-turn.ts';
import { iterationCap } from './core/policies/iteration-cap.ts';
import { loopDetection } from './core/policies/loop-detection.ts';
import { maxTokens } from './core/policies/max-tokens.ts';
import { pauseTurn } from './core/policies/pause-turn.ts';
import { refusal } from './core/policies/refusal.ts';
import { hardLimitMs, timeLimit } from './core/policies/time-limit.ts';
import type { Policy } from './core/policy.ts';
import type {
  Approver,
  Clock,
  Disposable,
  FileSystem,
  Human,
  Log,
  Search,
  Shell,
} from './core/ports.ts';
import type { PrepareRun, RunParts } from './core/run-parts.ts';
import { SessionRegistry } from './core/session-registry.ts';
import { SessionSummaries } from './core/session-summaries.ts';
import { catchAll } from './core/tool-call/catch-all.ts';
import { deadline } from './core/tool-call/deadline.ts';
import { hygiene } from './core/tool-call/hygiene.ts';
import { identity } from './core/tool-call/identity.ts';
import { ledger } from './core/tool-call/ledger.ts';
import { lookup } from './core/tool-call/lookup.ts';
import { permission } from './core/tool-call/permission.ts';
import { retry } from './core/tool-call/retry.ts';
import { RunLedger } from './core/tool-call/run-ledger.ts';
import { runTool } from './core/tool-call/run-tool.ts';
import { sizeLimit } from './core/tool-call/size-limit.ts';
import { started } from './core/tool-call/started.ts';
import { wrapAll } from './core/tool-call/tool-call.ts';
import type { Level, Mode, Tool, ToolCall } from './core/tool-call/tool-call.ts';
import { validate } from './core/tool-call/validate.ts';
import type { Session } from './domain/session.ts';
import type { Settings } from './domain/settings.ts';
import { createAnthropicProvider } from './providers/anthropic/provider.ts';
import { ANTHROPIC_MODELS } from './providers/anthropic/models.ts';
import { createCatalog } from './providers/catalog.ts';
import type { Catalog } from './providers/catalog.ts';
import { createDemoProvider } from './providers/demo/demo-provider.ts';
import { createModelCall, createRegistry } from './providers/registry.ts';
import { openStore } from './store/store.ts';
import type { Store } from './store/store.ts';
import { ReadState } from './tools/read-state.ts';
import { createTools } from './tools/registry.ts';

/** Milliseconds a title may take; it delays nobody. */
const TITLE_TIMEOUT_MS = 60_000;

/** What the engine needs of its host: VS Code's window, or plain Node. */
export interface EngineHost {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** Folder of the database, absolute. */
  readonly data: string;
  /** Belay's own folders, which no tool reads or writes. */
  readonly ownFolders: readonly string[];
  readonly storeWorker: string | URL;
  readonly files: FileSystem;
  readonly search: Search;
  readonly shell: Shell;
  readonly approver: Approver;
  readonly human: Human;
  readonly apiKey: () => Promise<string | undefined>;
  /** SHA-256 in hexadecimal. */
  readonly hash: (text: string) => string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly roots: () => readonly string[];
  readonly trusted: () => boolean;
  readonly level: () => Level;
  /** What surrounds the person's message. */
  readonly environment: () => EnvironmentSnapshot;
  /** Tools of MCP servers, in a stable order; waits a bounded time. */
  readonly mcpTools: () => Promise<readonly Tool[]>;
  /** Files the person works on, absolute: instructions of their folders count. */
  readonly focus: () => readonly string[];
  /** Stops a command that a crashed process left running. */
  readonly stopAbandoned: (group: {
    readonly pid: number;
    readonly birth: string;
  }) => Promise<boolean>;
  /** A title by the model beside the first turn (B10); without: the first words. */
  readonly titlesByModel: boolean;
}

export interface Engine {
  readonly agent: Agent;
  readonly broker: EventBroker;
  readonly store: Store;
  readonly guard: PathGuard;
  readonly catalog: Catalog;
  readonly registry: SessionRegistry;
  readonly modelCall: ModelCall;
  /** The model of a new session: the setting, else the provider's own, else the demo model. */
  modelFor(hasKey: boolean): string;
  dispose(): Promise<void>;
}

/** Puts the engine together: the one place that knows every concrete class. */
export async function openEngine(host: EngineHost): Promise<Engine> {
  const { clock, log, settings } = host;
  const store = await openStore({
    folder: host.data,
    worker: host.storeWorker,
    clock,
    log,
    busyTimeoutMs: settings('store.busyTimeout') * 1000,
  });
  const broker = new EventBroker(clock, log);
  const listening = [recordEvents(broker, store), new DraftKeeper(broker, store.recorder, clock)];
  const models = composeModels(host, store);
  const { registry, modelFor } = await composeSessions(host, store, broker, models);
  const guard = new PathGuard({ files: host.files, ownFolders: host.ownFolders });
  const tools = composeTools(host, store);
  const context = composeContext(host, store, models);
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
      prepare: composeRuns(host, { store, registry, guard, models, tools, context }),
      stopAbandoned: host.stopAbandoned,
      promptHash: async (options, sessionId) => {
        const offered = await tools();
        const parts = await context({ ...registry.optionsOf(sessionId), ...options }, offered);
        return (await parts.builder.build({ messages: [], tools: offered })).promptHash;
      },
      environment: async (_sessionId, previous) => environmentText(host.environment(), previous),
      summaries: new SessionSummaries({
        broker,
        recorder: store.recorder,
        transcripts: store.transcripts,
        prepare: async (options) => context(options, await tools()),
      }),
      titled: (session, text) => void entitle({ host, models, registry, broker }, session, text),
    },
    await store.runs.queued(),
  );
  return {
    agent,
    broker,
    store,
    guard,
    catalog: models.catalog,
    registry,
    modelCall: models.call,
    modelFor,
    dispose: async () => {
      await agent.dispose();
      for (const listener of listening) listener.dispose();
      await store.close();
    },
  };
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
    const own = known ? catalog.defaultModel('anthropic') : undefined;
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

/** The tools on offer: the built-in ones first, so that servers that come and go change only the end. */
function composeTools(host: EngineHost, store: Store): () => Promise<readonly Tool[]> {
  const builtIn = createTools({
    files: host.files,
    search: host.search,
    shell: host.shell,
    human: host.human,
    blobs: store.blobs,
    clock: host.clock,
    ids: store.ids,
    readState: new ReadState(),
    settings: host.settings,
  });
  return async () => [...builtIn, ...(await host.mcpTools())];
}

interface RunSources {
  readonly store: Store;
  readonly registry: SessionRegistry;
  readonly guard: PathGuard;
  readonly models: Models;
  readonly tools: () => Promise<readonly Tool[]>;
  readonly context: ReturnType<typeof composeContext>;
}

/** What each run works with. */
function composeRuns(host: EngineHost, sources: RunSources): PrepareRun {
  const { settings } = host;
  const { store, registry, guard, models } = sources;
  const runs = new RunLedger(store.recorder, store.runs, host.log);
  const offered = new Map<string, readonly Tool[]>();
  const mode = (sessionId: string): Mode => registry.optionsOf(sessionId).mode;
  const decide = createDecide({ guard, mode, level: host.level });
  const toolCall = composeToolCall(host, { store, runs, decide, offered });
  return async ({ run, options, resumed }) => {
    const tools = await sources.tools();
    offered.set(run.sessionId, tools);
    if (!resumed) runs.begin(run.id);
    return {
      ...(await sources.context(options, tools)),
      modelCall: models.call,
      toolCall,
      policies: composePolicies(settings),
      roots: host.roots(),
      parallelCalls: settings('loop.parallelCalls'),
      hardTimeLimitMs: hardLimitMs(settings),
      release: () => {
        offered.delete(run.sessionId);
        runs.end(run.id);
      },
    };
  };
}

/** Everything that happens in a run is kept for the timeline (C11). */
function recordEvents(broker: EventBroker, store: Store): Disposable {
  return broker.listen((event) => store.recorder.events([event]));
}

interface Models {
  readonly catalog: Catalog;
  readonly call: ModelCall;
}

function composeModels({ clock, log, settings, random, apiKey }: EngineHost, store: Store): Models {
  const demo = createDemoProvider({ clock });
  const catalog = createCatalog([...ANTHROPIC_MODELS, ...demo.models()]);
  const anthropic = createAnthropicProvider({
    apiKey,
    baseUrl: () => settings('model.baseUrl'),
    cacheTtl: () => settings('model.cacheTtl'),
    catalog,
    clock,
  });
  const registry = createRegistry([anthropic, demo]);
  const call = createModelCall({
    registry,
    catalog,
    settings,
    clock,
    log,
    random,
    onUsage: (usage) => {
      store.recorder.commit([{ kind: 'usage', usage }]).catch((error: unknown) => {
        log.error('The usage of a model call could not be recorded.', error);
      });
    },
  });
  return { catalog, call };
}

/** The rules at each turn, in their order; of two equal verdicts the first wins. */
function composePolicies(settings: Settings): readonly Policy[] {
  return [
    iterationCap(settings),
    refusal(),
    pauseTurn(),
    emptyTurn(),
    maxTokens(),
    loopDetection(),
    contextOverflow(settings),
    autoCompaction(settings),
    contextGuard(settings),
    compactionProgress(),
    timeLimit(settings),
  ] as readonly Policy[];
}

/** How one tool call is made safe, outermost first. */
function composeToolCall(
  host: EngineHost,
  parts: {
    readonly store: Store;
    readonly runs: RunLedger;
    readonly decide: ReturnType<typeof createDecide>;
    readonly offered: ReadonlyMap<string, readonly Tool[]>;
  },
): ToolCall {
  const { clock, log, settings, approver, hash } = host;
  const { store, runs, decide, offered } = parts;
  return wrapAll(runTool(log), [
    catchAll(log),
    lookup((sessionId) => offered.get(sessionId) ?? []),
    identity(),
    validate(),
    ledger(runs, clock),
    permission({ decide, approver, ids: store.ids, hash, runs }),
    started(runs, clock),
    sizeLimit(store.blobs, store.ids, () => settings('tools.resultLimit')),
    hygiene(),
    retry(clock, runs, () => settings('tools.retryBase') * 1000),
    deadline(clock, () => settings('tools.timeout') * 1000),
  ]);
}

type ContextParts = Pick<RunParts, 'tools' | 'builder' | 'compactor' | 'contextLimit'> & Disposable;

function composeContext(host: EngineHost, store: Store, { catalog, call }: Models) {
  const { clock, settings } = host;
  return async (
    options: Required<SessionOptions>,
    tools: readonly Tool[],
  ): Promise<ContextParts> => {
    const model = catalog.lookup(options.model);
    const contextLimit = settings('model.contextLimit') || model.contextWindow;
    const maxOutputTokens = settings('model.maxOutputTokens');
    const estimator = new TokenEstimator({ loadTokenizer: loadCl100k });
    const roots = host.roots();
    const instructions = await loadInstructions({
      fileSystem: host.files,
      roots,
      trusted: host.trusted(),
      focus: host.focus(),
    });
    const builder = new ContextBuilder({
      model,
      contextLimit,
      thinking: options.thinking,
      system: systemPrompt({ mode: options.mode, instructions: instructions.text }),
      historyLimit: settings('context.historyLimit'),
      estimator,
      ...(maxOutputTokens === 0 ? {} : { maxOutputTokens }),
    });
    const small = catalog.lookup(settings('model.smallModel') || catalog.smallModel(model.id));
    const compactor = new ScheduledCompaction(
      new Compactor({
        ids: store.ids,
        clock,
        estimator,
        ...(model.provider === 'demo' ? {} : { summarizer: { call, model: small } }),
      }),
      {
        startAt: 0.85 * settings('context.compactAt'),
        keep: settings('context.keepMessages'),
        enabled: settings('context.strategy') === 'summarize',
      },
    );
    return { tools, builder, compactor, contextLimit, dispose: () => compactor.dispose() };
  };
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
