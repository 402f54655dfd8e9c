import type { Child } from '../core/agents/child.ts';
import type { Children } from '../core/agents/children.ts';
import { type CommitMessageRequest, writeCommitMessage } from '../core/context/commit-message.ts';
import { withoutServers } from '../core/context/prompt-hash.ts';
import { type LentAnswer, type LentRequest, lendModel } from '../core/model-call/lend-model.ts';
import type { ModelCallContext } from '../core/model-call/model-call.ts';
import { contextLimitOf } from '../core/policies/compaction-point.ts';
import type { SessionOptions } from '../core/run/agent-service.ts';
import type { PrepareRun } from '../core/run/run-parts.ts';
import type { SecretBook } from '../core/secrets/secret-book.ts';
import type { EventBroker } from '../core/session/event-broker.ts';
import type { Journals } from '../core/session/journals.ts';
import { journalText } from '../domain/session/journal.ts';
import type { SessionRegistry } from '../core/session/session-registry.ts';
import { SessionSummaries } from '../core/session/session-summaries.ts';
import { RunTools } from '../core/tool-call/offered-tools.ts';
import { RunLedger } from '../core/tool-call/run-ledger.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import type { Session } from '../domain/session/session.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import type { ModelNames } from '../providers/instance.ts';
import { childTools } from './agents/children.ts';
import { type AppCall, appCalls } from './mcp/app-calls.ts';
import type { EngineHost } from './engine-host.ts';
import { toolLimits } from './personas.ts';
import { composeModels, entitle, roleModel } from './models.ts';
import { type RunSources, composeContext, composeRuns } from './run.ts';
import type { ToolOrder } from './tools.ts';

/** Code that is loaded when a run starts, a session is summarized or a hand-off is looked at, and not before. */
export interface Running {
  readonly prepare: PrepareRun;
  readonly summaries: SessionSummaries;
  /** Of the prompt that the session's next request would have. */
  readonly promptHash: (options: SessionOptions, sessionId: string) => Promise<string>;
  /** The name of the session's model, for people. */
  readonly modelOf: (sessionId: string) => string;
  /** Lends the session's model to a stranger that the person allowed it. */
  readonly lend: (
    request: LentRequest,
    context: Omit<ModelCallContext, 'purpose'>,
  ) => Promise<LentAnswer>;
  /** Writes the message of a commit, by the small model of `chosen`. */
  readonly commitMessage: (
    chosen: string,
    request: CommitMessageRequest,
    context: Omit<ModelCallContext, 'purpose'>,
  ) => Promise<string>;
  /** Calls a tool that the app of a server asks for. */
  readonly appCall: AppCall;
  /** Gives a new session its title. */
  readonly entitle: (session: Session, text: string) => Promise<void>;
}

export interface RunningSources extends Omit<RunSources, 'models' | 'context' | 'runs' | 'tools'> {
  readonly tools: (order: ToolOrder) => Promise<readonly Tool[]>;
  readonly broker: EventBroker;
  readonly registry: SessionRegistry;
  readonly catalog: Catalog;
  readonly names: ModelNames;
  readonly secrets: SecretBook;
  readonly journals: Pick<Journals, 'read'>;
  readonly customizations: Parameters<typeof composeContext>[3];
  readonly children: Children;
  readonly closing: AbortSignal;
}

const hasPersona = async (
  customizations: RunningSources['customizations'],
  name: string,
): Promise<boolean> =>
  customizations.persona(name).then(
    () => true,
    () => false,
  );

export function composeRunning(host: EngineHost, sources: RunningSources): Running {
  const { store, broker, registry } = sources;
  const runs = new RunLedger(store.recorder, store.runs, host.log);
  const models = composeModels(host, { ...sources, runs });
  const context = composeContext(host, store, models, sources.customizations, async (id) =>
    journalText(await sources.journals.read(id)),
  );
  const orderFor = async ({ model, persona }: Required<SessionOptions>, child?: Child) => {
    // Sub-agents have no more than the person's persona leaves.
    const above =
      child === undefined ? persona : registry.optionsOf(child.charged.sessionId).persona;
    return {
      contextLimit: contextLimitOf(host.settings, models.catalog.lookup(model).contextWindow),
      limits: toolLimits(host, await sources.customizations.persona(above)),
      files: child?.kind === 'write' ? ('plain' as const) : undefined,
    };
  };
  const tools = async (options: Required<SessionOptions>) => sources.tools(await orderFor(options));
  const runTools = async (options: Required<SessionOptions>, child?: Child) => {
    const order = await orderFor(options, child);
    let offered = await sources.tools({ ...order, moment: 'start' });
    const current = () =>
      child === undefined ? offered : childTools(offered, child, host.settings);
    return new RunTools(current(), async () => {
      offered = await sources.tools({ ...order, before: offered });
      return current();
    });
  };
  const modelOf = (sessionId: string) => models.catalog.lookup(registry.optionsOf(sessionId).model);
  return {
    prepare: composeRuns(host, { ...sources, tools: runTools, models, context, runs }),
    summaries: new SessionSummaries({
      broker,
      recorder: store.recorder,
      transcripts: store.transcripts,
      prepare: async (options) => context(options, await tools(options)),
    }),
    promptHash: async (options, sessionId) => {
      const chosen = { ...registry.optionsOf(sessionId), ...options };
      // A persona that is gone is a prompt that is gone.
      if (!(await hasPersona(sources.customizations, chosen.persona))) return '';
      const offered = await tools(chosen);
      const parts = await context(chosen, offered);
      const { promptHash } = await parts.builder.build({ messages: [], tools: offered });
      const isStarting = (host.tools.startingServers?.() ?? []).length > 0;
      return isStarting ? withoutServers(promptHash) : promptHash;
    },
    modelOf: (sessionId) => modelOf(sessionId).name,
    lend: async (request, context) => {
      const model = modelOf(context.sessionId);
      return lendModel({ call: models.call, model }, request, context);
    },
    commitMessage: async (chosen, request, context) => {
      const own = models.catalog.lookup(chosen);
      const isOffline = own.offline === true;
      const model = isOffline ? own : roleModel('summary', models, host.settings, own.id);
      return writeCommitMessage({ call: models.call, model }, request, context);
    },
    appCall: appCalls(host, sources),
    entitle: async (session, text) => entitle({ host, models, registry, broker }, session, text),
  };
}
