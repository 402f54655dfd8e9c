import { setImmediate } from 'node:timers/promises';
import type { SessionOptions } from '../core/run/agent-service.ts';
import { ContextBuilder } from '../core/context/builder.ts';
import { loadCl100k } from '../core/context/tokens/cl100k.ts';
import { Compactor } from '../core/context/compaction/compact.ts';
import { TokenEstimator } from '../core/context/tokens/estimate.ts';
import { loadInstructions } from '../core/context/prompt/instructions.ts';
import type { PromptFiles } from '../core/context/prompt/prompt-files.ts';
import { NestedInstructions } from '../core/context/prompt/nested-instructions.ts';
import { SessionEstimators } from '../core/context/tokens/session-estimators.ts';
import { ScheduledCompaction } from '../core/context/compaction/scheduled-compaction.ts';
import { systemPrompt } from '../core/context/prompt/system-prompt.ts';
import type { ModelCall } from '../core/model-call/model-call.ts';
import type { Permissions } from '../core/permissions/permissions.ts';
import { autoCompaction } from '../core/policies/auto-compaction.ts';
import { budget, budgetPeriod } from '../core/policies/budget.ts';
import { compactionProgress } from '../core/policies/compaction-progress.ts';
import { contextGuard } from '../core/policies/context-guard.ts';
import { contextOverflow } from '../core/policies/context-overflow.ts';
import { emptyTurn } from '../core/policies/empty-turn.ts';
import { iterationCap } from '../core/policies/iteration-cap.ts';
import { loopDetection } from '../core/policies/loop-detection.ts';
import { maxTokens } from '../core/policies/max-tokens.ts';
import { pauseTurn } from '../core/policies/pause-turn.ts';
import { refusal } from '../core/policies/refusal.ts';
import { hardLimitMs, timeLimit } from '../core/policies/time-limit.ts';
import type { Policy } from '../core/policy.ts';
import type { Disposable } from '../domain/disposable.ts';
import type { PrepareRun, RunParts } from '../core/run/run-parts.ts';
import { withCatchAll } from '../core/tool-call/wrappers/catch-all.ts';
import { withDeadline } from '../core/tool-call/wrappers/deadline.ts';
import { withHygiene } from '../core/tool-call/wrappers/hygiene.ts';
import { withIdentity } from '../core/tool-call/wrappers/identity.ts';
import { withLedger } from '../core/tool-call/wrappers/ledger.ts';
import { withLookup } from '../core/tool-call/wrappers/lookup.ts';
import { withPermission } from '../core/tool-call/wrappers/permission.ts';
import { withRetry } from '../core/tool-call/wrappers/retry.ts';
import { RunLedger } from '../core/tool-call/run-ledger.ts';
import { runTool } from '../core/tool-call/run-tool.ts';
import { withSecretMask } from '../core/tool-call/wrappers/secret-mask.ts';
import { withSizeLimit } from '../core/tool-call/wrappers/size-limit.ts';
import { withToolPins } from '../core/tool-call/wrappers/tool-pins.ts';
import { withStarted } from '../core/tool-call/wrappers/started.ts';
import { withExpandedUseTool } from '../core/model-call/wrappers/through-use-tool.ts';
import { wrapAll } from '../core/tool-call/tool-call.ts';
import type { Tool, ToolCall, WrapToolCall } from '../core/tool-call/tool-call.ts';
import { withUnseenProposals } from '../core/tool-call/wrappers/unseen-proposals.ts';
import { withValidation } from '../core/tool-call/wrappers/validate.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { Catalog } from '../providers/catalog.ts';
import { withDiagnosticsAfterEdit } from '../tools/language/diagnostics-after-edit.ts';
import type { LanguageKit } from '../tools/language/language-kit.ts';
import type { Store } from '../store/store.ts';
import type { ReviewKit } from './review.ts';
import type { ChangesKit } from './changes.ts';
import type { EgressGuard } from './egress.ts';
import type { EngineHost } from './engine-host.ts';

export interface Models {
  readonly catalog: Catalog;
  readonly call: ModelCall;
}

export interface RunSources {
  readonly store: Store;
  readonly permissions: Permissions;
  readonly models: Models;
  readonly tools: () => Promise<readonly Tool[]>;
  readonly context: ReturnType<typeof composeContext>;
  readonly border: EgressGuard;
  /** Only where there are language servers. */
  readonly language: LanguageKit | undefined;
  /** Only where the host takes snapshots of the workspace. */
  readonly changes: ChangesKit | undefined;
  readonly review: Pick<ReviewKit, 'unseen'>;
}

/** What each run works with. */
export function composeRuns(host: EngineHost, sources: RunSources): PrepareRun {
  const { settings } = host;
  const { store, permissions, models } = sources;
  const runs = new RunLedger(store.recorder, store.runs, host.log);
  const offered = new Map<string, readonly Tool[]>();
  const { border } = sources;
  const toolCall = composeToolCall(host, {
    store,
    runs,
    permissions,
    offered,
    border,
    language: sources.language,
    changes: sources.changes,
    review: sources.review,
  });
  return async ({ run, options, resumed, recorder }) => {
    border.refresh();
    const tools = await sources.tools();
    offered.set(run.sessionId, tools);
    if (!resumed) runs.begin(run.id);
    runs.recordWith(run.id, recorder);
    return {
      ...(await sources.context(options, tools, run.sessionId)),
      modelCall: withExpandedUseTool()(models.call),
      toolCall,
      policies: [...(await budgetOf(host, store)), ...composePolicies(settings)],
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

const BUDGET_SINCE = 'budget/since';

/** The month's budget as it stands (A2); none without a limit. */
async function budgetOf({ clock, settings }: EngineHost, store: Store): Promise<readonly Policy[]> {
  const limit = settings('budget.monthlyTokens');
  if (limit === 0) return [];
  const now = clock.now();
  const known = await store.values.get(BUDGET_SINCE);
  const firstReset = typeof known === 'number' ? known : now;
  if (known === undefined) await store.values.set(BUDGET_SINCE, firstReset);
  const { since, resetsAt } = budgetPeriod(firstReset, now);
  const { tokens: used } = await store.usage.total(since);
  return [budget({ limit, used, resetsAt })] as readonly Policy[];
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

/** E3: characters of a result that a guest's model gets at most. */
const GUEST_RESULT = 8000;

/** How one tool call is made safe, outermost first. */
function composeToolCall(
  host: EngineHost,
  parts: {
    readonly store: Store;
    readonly runs: RunLedger;
    readonly permissions: Permissions;
    readonly offered: ReadonlyMap<string, readonly Tool[]>;
    readonly border: EgressGuard;
    readonly language: LanguageKit | undefined;
    readonly changes: ChangesKit | undefined;
    readonly review: Pick<ReviewKit, 'unseen'>;
  },
): ToolCall {
  const { clock, log, settings, approver, hash, reviewed = false } = host;
  const { store, runs, permissions, offered, border, language, changes } = parts;
  const { unseen } = parts.review;
  const enabled = (): boolean => settings('language.diagnosticsAfterEdit');
  const problems: readonly WrapToolCall[] =
    language === undefined
      ? []
      : [withDiagnosticsAfterEdit({ language, files: host.files, log, enabled })];
  const { decide, keep, agree, onChange } = permissions;
  return wrapAll(runTool(log), [
    withCatchAll(log),
    withLookup((sessionId) => offered.get(sessionId) ?? []),
    withIdentity(),
    withValidation(),
    withLedger(runs, clock),
    withPermission({
      decide,
      approver,
      ids: store.ids,
      hash,
      runs,
      keep,
      agree,
      onChange,
      reviewed,
      unseen,
    }),
    withToolPins(border.pins),
    withStarted(runs, clock),
    ...(changes === undefined ? [] : [changes.record]),
    withUnseenProposals(unseen),
    withSizeLimit(store.blobs, store.ids, () =>
      host.level() === 'guest'
        ? Math.min(GUEST_RESULT, settings('tools.resultLimit'))
        : settings('tools.resultLimit'),
    ),
    withSecretMask(border.secrets, () => settings('secrets.maskToolOutput')),
    withHygiene(),
    ...problems,
    withRetry(clock, runs, () => settings('tools.retryBase') * 1000),
    withDeadline(clock, () => settings('tools.timeout') * 1000),
  ]);
}

type ContextParts = Pick<RunParts, 'tools' | 'builder' | 'compactor' | 'contextLimit'> & Disposable;

export function composeContext(
  host: EngineHost,
  store: Store,
  { catalog, call }: Models,
  promptFiles: PromptFiles,
) {
  const { clock, settings } = host;
  const nested = new NestedInstructions(host.search, host.log);
  const estimators = new SessionEstimators(
    () => new TokenEstimator({ loadTokenizer: loadCl100k, pause: setImmediate }),
  );
  return async (
    options: Required<SessionOptions>,
    tools: readonly Tool[],
    sessionId?: string,
  ): Promise<ContextParts> => {
    const model = catalog.lookup(options.model);
    const contextLimit = settings('model.contextLimit') || model.contextWindow;
    const maxOutputTokens = settings('model.maxOutputTokens');
    const estimator = estimators.of(sessionId);
    const roots = host.roots();
    const trusted = host.trusted();
    const instructions = await loadInstructions({
      files: promptFiles,
      roots,
      trusted,
      focus: host.focus(),
      nested: trusted ? await nested.under(roots) : [],
    });
    const builder = new ContextBuilder({
      model,
      contextLimit,
      thinking: options.thinking,
      system: systemPrompt({
        mode: options.mode,
        reviewed: host.reviewed === true,
        instructions: instructions.text,
      }),
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
        dueAt: settings('context.compactAt'),
        keep: settings('context.keepMessages'),
        enabled: settings('context.strategy') === 'summarize',
      },
    );
    return { tools, builder, compactor, contextLimit, dispose: () => compactor.dispose() };
  };
}
