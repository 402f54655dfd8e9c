// The order of everything that is wrapped around a call or asked at a turn. It is a decision, and it stands here only.
import type { ModelCall } from '../core/model-call/model-call.ts';
import type { Pictures } from '../core/model-call/pictures.ts';
import { type BudgetOptions, withBudget } from '../core/model-call/wrappers/budget.ts';
import { withExpandedUseTool } from '../core/model-call/wrappers/through-use-tool.ts';
import { withFallback } from '../core/model-call/wrappers/fallback.ts';
import { withFittedPictures } from '../core/model-call/wrappers/fitted-pictures.ts';
import { withGuard } from '../core/model-call/wrappers/guard.ts';
import { type RequestMask, withMask } from '../core/model-call/wrappers/masking.ts';
import { withRecorded } from '../core/model-call/wrappers/recorded.ts';
import { withRefit } from '../core/model-call/wrappers/refit.ts';
import { withRetry as withModelRetry } from '../core/model-call/wrappers/retry.ts';
import { withUsage } from '../core/model-call/wrappers/usage.ts';
import { withWatchdogs } from '../core/model-call/wrappers/watchdogs.ts';
import type { Permissions } from '../core/permissions/permissions.ts';
import { budgetStop } from '../core/policies/budget-stop.ts';
import { autoCompaction } from '../core/policies/auto-compaction.ts';
import { compactionProgress } from '../core/policies/compaction-progress.ts';
import { contextGuard } from '../core/policies/context-guard.ts';
import { contextOverflow } from '../core/policies/context-overflow.ts';
import { emptyTurn } from '../core/policies/empty-turn.ts';
import { iterationCap } from '../core/policies/iteration-cap.ts';
import { loopDetection } from '../core/policies/loop-detection.ts';
import { maxTokens } from '../core/policies/max-tokens.ts';
import { pauseTurn } from '../core/policies/pause-turn.ts';
import { refusal } from '../core/policies/refusal.ts';
import { timeLimit } from '../core/policies/time-limit.ts';
import type { Policy } from '../core/policy.ts';
import type { UsageRecord } from '../core/ports/store/recorder.ts';
import type { RunLedger } from '../core/tool-call/run-ledger.ts';
import type { RunTools } from '../core/tool-call/offered-tools.ts';
import { runTool } from '../core/tool-call/run-tool.ts';
import {
  type Tool,
  type ToolCall,
  type WrapToolCall,
  wrapAll,
} from '../core/tool-call/tool-call.ts';
import { withCatchAll } from '../core/tool-call/wrappers/catch-all.ts';
import { withDeadline } from '../core/tool-call/wrappers/deadline.ts';
import { withHygiene } from '../core/tool-call/wrappers/hygiene.ts';
import { withIdentity } from '../core/tool-call/wrappers/identity.ts';
import { withLedger } from '../core/tool-call/wrappers/ledger.ts';
import { withLookup } from '../core/tool-call/wrappers/lookup.ts';
import type { PermissionParts } from '../core/tool-call/wrappers/approvals.ts';
import { withPermission } from '../core/tool-call/wrappers/permission.ts';
import { watchContents } from '../core/files/watch-contents.ts';
import { withRetry } from '../core/tool-call/wrappers/retry.ts';
import { withSameWorkspace } from '../core/tool-call/wrappers/same-workspace.ts';
import { withSecretMask } from '../core/tool-call/wrappers/secret-mask.ts';
import { withSizeLimit } from '../core/tool-call/wrappers/size-limit.ts';
import { withStarted } from '../core/tool-call/wrappers/started.ts';
import { withToolPins } from '../core/tool-call/wrappers/tool-pins.ts';
import { withValidation } from '../core/tool-call/wrappers/validate.ts';
import type { Settings } from '../domain/settings/settings.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { Store } from '../store/store.ts';
import { withDiagnosticsAfterEdit } from '../tools/language/diagnostics-after-edit.ts';
import type { LanguageKit } from '../tools/language/language-kit.ts';
import type { ChangesKit } from './review/changes.ts';
import type { EgressGuard } from './egress.ts';
import type { EngineHost } from './engine-host.ts';

/** The rules at each turn, in their order; of two equal verdicts the first wins. */
export function policies(settings: Settings): readonly Policy[] {
  return [
    budgetStop(),
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

/** The parts of the tool calls' wrappers, beside the host. */
export interface ToolCallParts {
  readonly store: Store;
  readonly runs: RunLedger;
  readonly permissions: Permissions;
  /** The tools that a session's run was offered, by its id. */
  readonly offered: ReadonlyMap<string, Pick<RunTools, 'current'>>;
  readonly egress: EgressGuard;
  /** Only where there are language servers. */
  readonly language: LanguageKit | undefined;
  /** Only where the host takes snapshots of the workspace. */
  readonly changes: ChangesKit | undefined;
}

/** E3: characters of a result that a guest's model gets at most. */
const GUEST_RESULT = 8000;

/** The wrappers of what comes from outside to the model, as a result or as a mention. */
function resultWrappers(
  { settings, person: { level } }: EngineHost,
  { store, egress }: Pick<ToolCallParts, 'store' | 'egress'>,
): readonly WrapToolCall[] {
  const limit = (): number => settings('advanced.maxToolResultChars');
  return [
    withSizeLimit(store.blobs, store.ids, () =>
      level() === 'guest' ? Math.min(GUEST_RESULT, limit()) : limit(),
    ),
    withSecretMask(egress.secrets, () => settings('secrets.maskToolOutput')),
    withHygiene(),
  ];
}

/** Rows of calls that belong to no run: there are none. */
const NO_ROWS = { entry: async () => undefined, recordSoon: () => undefined };

/** Parts of approvals that come from the host and the permissions. */
function approvalParts(
  { clock, disk, hash, person: { approver, reviewed } }: EngineHost,
  { permissions, store: { ids } }: Pick<ToolCallParts, 'store' | 'permissions'>,
  runs: Pick<RunLedger, 'entry' | 'recordSoon'>,
): PermissionParts {
  const { decide, keep, agree, agreeToEdits, mode, onChange } = permissions;
  return {
    decide,
    keep,
    agree,
    agreeToEdits,
    ...(reviewed === true ? { mode } : {}),
    onChange,
    watchFiles: (paths, listener) => watchContents(disk.files, clock, paths, listener),
    approver,
    ids,
    hash,
    runs,
  };
}

/** A call of a tool by the person's mention, outermost first: asked about as in a run, recorded nowhere. */
export function createMentionCall(
  host: EngineHost,
  parts: Pick<ToolCallParts, 'store' | 'egress' | 'permissions'>,
): ToolCall {
  const { clock, log, settings } = host;
  return wrapAll(runTool(log), [
    withCatchAll(log),
    withPermission(approvalParts(host, parts, NO_ROWS)),
    ...resultWrappers(host, parts),
    withDeadline(clock, () => settings('advanced.toolTimeoutSeconds') * 1000),
  ]);
}

/** How one tool call is made safe, outermost first. */
export function createToolCall(host: EngineHost, parts: ToolCallParts): ToolCall {
  const { clock, log, settings, disk } = host;
  const { runs, offered, egress, language, changes } = parts;
  const enabled = (): boolean => settings('language.diagnosticsAfterEdit');
  return wrapAll(runTool(log), [
    withCatchAll(log),
    withLookup((sessionId) => offered.get(sessionId)?.current ?? []),
    withIdentity(),
    withValidation(),
    withLedger(runs, clock),
    withSameWorkspace(),
    withPermission(approvalParts(host, parts, runs)),
    withToolPins(egress.pins),
    withStarted(runs, clock),
    ...(changes === undefined ? [] : [changes.record]),
    ...resultWrappers(host, parts),
    ...(language === undefined
      ? []
      : [withDiagnosticsAfterEdit({ language, disk, log, clock, enabled })]),
    withRetry(clock, runs, () => settings('advanced.toolRetryDelaySeconds') * 1000),
    withDeadline(clock, () => settings('advanced.toolTimeoutSeconds') * 1000),
    withSameWorkspace(),
  ]);
}

/** How a call is made safe that the app of a server asks for: as any other, beside a run. */
export function createAppCall(
  host: EngineHost,
  parts: Pick<ToolCallParts, 'store' | 'permissions' | 'egress'>,
  tool: Tool,
): ToolCall {
  const { clock, log, settings } = host;
  return wrapAll(runTool(log), [
    withCatchAll(log),
    withLookup(() => [tool]),
    withIdentity(),
    withValidation(),
    withPermission(approvalParts(host, parts, NO_ROWS)),
    withToolPins(parts.egress.pins),
    withDeadline(clock, () => settings('advanced.toolTimeoutSeconds') * 1000),
  ]);
}

/** The parts of the model calls' wrappers. */
export interface ModelCallParts extends Pick<EngineHost, 'settings' | 'clock' | 'log' | 'random'> {
  readonly registry: ProviderRegistry;
  readonly catalog: Catalog;
  readonly budget: BudgetOptions;
  /** Hears of each attempt's usage (A8); must not throw. */
  readonly onUsage: (record: UsageRecord) => void;
  /** Takes out secret values, which no request may carry. */
  readonly mask: RequestMask;
  /** Resolves when all that a run has done is on disk. */
  readonly recorded: (runId: string) => Promise<void>;
  readonly pictures: Pictures;
}

/**
 * The model call as titles, summaries and the loop use it, from the outside in:
 *
 * 1. mask: outermost, so that nothing behind it ever holds a secret, and once for all attempts
 * 2. fallback: a model that failed for good is replaced, so each model has its own retries
 * 3. retry: of one model, with the same request
 * 4. refit: a refused request is repaired and sent once more, which is no retry
 * 5. pictures: inside refit, which learns from refusals how small they must be
 * 6. budget: each attempt that is really sent is reserved, and counted, by itself
 * 7. recorded: as late as may be, for what is before it goes on while the disk works; outside the watchdogs, which are
 *    about the model and not the disk
 * 8. usage: inside fallback and retry, so that each attempt is recorded under its model
 * 9. watchdogs: around one attempt, so that a silent one is a failure like any other
 * 10. guard: holds the provider to its contract
 */
export function createModelCall(parts: ModelCallParts): ModelCall {
  const { registry, catalog, settings, clock, log, random, onUsage, mask, pictures, recorded } =
    parts;
  const providerOf = (model: string): string => registry.instanceOf(model);
  const pricesOf = (model: string) => catalog.lookup(model).prices;
  const cacheTtl = () => settings('model.cacheTtl');
  return wrapAll(registry.call, [
    withMask(mask),
    withFallback({ chain: () => settings('model.fallbacks'), providerOf, clock }),
    withModelRetry({ settings, clock, log, random }),
    withRefit({ log, pictures }),
    withFittedPictures(pictures),
    withBudget(parts.budget),
    withRecorded(recorded),
    withUsage({ clock, pricesOf, cacheTtl, providerOf, onUsage }),
    withWatchdogs({ settings, clock }),
    withGuard(log),
  ]);
}

/** The model call of a run: a tool that is called through `use_tool` arrives under its own name. */
export function createRunModelCall(call: ModelCall): ModelCall {
  return wrapAll(call, [withExpandedUseTool()]);
}
