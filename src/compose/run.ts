import * as l10n from '@vscode/l10n';
import { setImmediate } from 'node:timers/promises';
import type { Child } from '../core/agents/child.ts';
import type { Children } from '../core/agents/children.ts';
import type { SessionOptions } from '../core/run/agent-service.ts';
import { ContextBuilder } from '../core/context/builder.ts';
import { loadCl100k } from '../core/context/tokens/cl100k.ts';
import { Compactor } from '../core/context/compaction/compact.ts';
import { TokenEstimator } from '../core/context/tokens/estimate.ts';
import { changedTexts, type PromptTexts } from '../core/context/prompt/changed-texts.ts';
import type { PersonaInForce } from '../core/customizations/persona.ts';
import { personaPrompt } from '../core/context/prompt/persona.ts';
import { READ_SKILL, skillsText } from '../core/context/prompt/skills.ts';
import type { Customizations } from '../core/customizations/customizations.ts';
import { SessionEstimators } from '../core/context/tokens/session-estimators.ts';
import { ScheduledCompaction } from '../core/context/compaction/scheduled-compaction.ts';
import { type SystemPromptInput, systemPrompt } from '../core/context/prompt/system-prompt.ts';
import type { Permissions } from '../core/permissions/permissions.ts';
import { compactionPoint, contextLimitOf } from '../core/policies/compaction-point.ts';
import { GUARD_SHARE } from '../core/policies/context-guard.ts';
import { startingNotice, tellAtStart } from '../core/policies/starting-servers.ts';
import { hardLimitMs } from '../core/policies/time-limit.ts';
import type { Policy } from '../core/policy.ts';
import { tells } from '../domain/failure.ts';
import { untilAborted } from '../domain/lifetime/until-aborted.ts';
import { inEnglish } from '../domain/text/told.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { RunWorkspace } from '../core/run/run-workspace.ts';
import type { PrepareRun, RunParts } from '../core/run/run-parts.ts';
import type { RunTools } from '../core/tool-call/offered-tools.ts';
import type { RunLedger } from '../core/tool-call/run-ledger.ts';
import type { Tool } from '../core/tool-call/tool-call.ts';
import type { LanguageKit } from '../tools/language/language-kit.ts';
import type { Store } from '../store/store.ts';
import {
  CHILD_INSTRUCTIONS,
  childPolicies,
  childPrompt,
  childSettings,
} from './agents/children.ts';
import { createRunModelCall, createToolCall, policies } from './order.ts';
import type { ChangesKit } from './review/changes.ts';
import type { EgressGuard } from './egress.ts';
import type { EngineHost } from './engine-host.ts';
import { personaNumbers } from './personas.ts';
import { type Models, roleModel } from './models.ts';

export interface RunSources {
  readonly store: Store;
  readonly permissions: Permissions;
  readonly models: Models;
  /** For a model and a persona; waits a bounded time for servers that are starting. */
  readonly tools: (options: Required<SessionOptions>, child?: Child) => Promise<RunTools>;
  readonly children: Pick<Children, 'get' | 'used'>;
  readonly context: ReturnType<typeof composeContext>;
  readonly runs: RunLedger;
  readonly egress: EgressGuard;
  /** Only where there are language servers. */
  readonly language: LanguageKit | undefined;
  /** Only where the host takes snapshots of the workspace. */
  readonly changes: ChangesKit | undefined;
}

export function composeRuns(host: EngineHost, sources: RunSources): PrepareRun {
  const { store, permissions, models, runs, children } = sources;
  const offered = new Map<string, RunTools>();
  const { egress } = sources;
  const { language, changes } = sources;
  const guarded = { store, runs, permissions, offered, egress, language, changes };
  const toolCall = createToolCall(host, guarded);
  // In a working copy nobody reviews, and nothing of the workspace is kept.
  const plainCall = createToolCall(host, { ...guarded, changes: undefined, language: undefined });
  return async ({ run, options, resumed, recorder, emit, signal }) => {
    egress.refresh();
    const child = children.get(run.sessionId);
    const settings = child === undefined ? host.settings : childSettings(host.settings);
    const [tools, identity] = await Promise.all([
      untilAborted(sources.tools(options, child), signal),
      identityOf(host, store),
    ]);
    offered.set(run.sessionId, tools);
    if (!resumed) runs.begin(run.id);
    runs.recordWith(run.id, recorder);
    const { texts, ...context } = await sources.context(options, tools.current, {
      id: run.sessionId,
      ...(child === undefined ? {} : { child }),
      recorded: async () => recorder.recorded(),
    });
    const { changed, gone } = await changedTexts(store.values, run.sessionId, texts);
    if (changed.length > 0)
      emit({ type: 'warning', message: l10n.t('In force from now on: {0}', changed.join(', ')) });
    if (gone.length > 0)
      emit({ type: 'warning', message: l10n.t('No longer in force: {0}', gone.join(', ')) });
    const roots = child?.rights.roots ?? host.workspace.roots();
    const workspace = await RunWorkspace.pin(roots, host.disk.pinFolder);
    const refuseReplaced = async (paths: readonly string[]) => workspace.refuseReplaced(paths);
    const starting = startingNotice(host.tools.startingServers?.() ?? []);
    if (starting !== undefined) emit({ type: 'warning', ...tells(starting) });
    return {
      ...context,
      tools,
      modelCall: createRunModelCall(models.call),
      toolCall: child?.kind === 'write' ? plainCall : toolCall,
      policies: [
        workspace.policy,
        ...policies(settings),
        ...(starting === undefined ? [] : [tellAtStart(inEnglish(starting)) as Policy]),
        ...(child === undefined ? [] : childPolicies(settings, child, children)),
      ],
      context: { roots, refuseReplaced, ...identity },
      parallelCalls: settings('advanced.parallelToolCalls'),
      hardTimeLimitMs: hardLimitMs(settings),
      release: () => {
        workspace.release();
        offered.delete(run.sessionId);
        runs.end(run.id);
      },
    };
  };
}

/** Ids for tools (A13), and the level on record (A1): what the person's settings say, whatever the workspace is trusted with. */
async function identityOf(
  { settings, log }: EngineHost,
  { person }: Pick<Store, 'person'>,
): Promise<Pick<RunParts['context'], 'userId' | 'workspaceId'>> {
  try {
    const { id: userId, workspaceId } = await person.person(settings('identity.defaultLevel'));
    return { userId, workspaceId };
  } catch (error) {
    log.warn('The person is not known: their database cannot be read.', { reason: String(error) });
    return {};
  }
}

interface ContextParts
  extends Pick<RunParts, 'builder' | 'compactor' | 'contextLimit'>, Disposable {
  readonly tools: readonly Tool[];
  /** Files in the system prompt. */
  readonly texts: PromptTexts;
}

/** The system prompt of a session, with the persona in force and what the settings add or put in its place. */
function promptOf(
  { settings }: Pick<EngineHost, 'settings'>,
  inForce: PersonaInForce,
  parts: Pick<SystemPromptInput, 'mode' | 'instructions' | 'skills'>,
): readonly string[] {
  const { added, replaced } = personaPrompt(inForce);
  const persona = replaced ?? settings('systemPrompt.replace').trim();
  return systemPrompt({
    ...parts,
    role: added,
    added: settings('systemPrompt.add').trim(),
    ...(persona === '' ? {} : { persona }),
  });
}

export function composeContext(
  host: EngineHost,
  store: Store,
  models: Models,
  customizations: Pick<Customizations, 'instructions' | 'offeredSkills' | 'persona'>,
  /** The journal of a session, as markdown. */
  journal: (sessionId: string) => Promise<string>,
) {
  const { clock, settings } = host;
  const { catalog, call } = models;
  const estimators = new SessionEstimators(
    () => new TokenEstimator({ loadTokenizer: loadCl100k, pause: setImmediate }),
  );
  return async (
    options: Required<SessionOptions>,
    tools: readonly Tool[],
    session?: {
      readonly id: string;
      readonly child?: Child;
      readonly recorded: () => Promise<void>;
    },
  ): Promise<ContextParts> => {
    const model = catalog.lookup(options.model);
    const contextLimit = contextLimitOf(settings, model.contextWindow);
    const dueAt = compactionPoint(settings, contextLimit);
    const child = session?.child;
    const canRead = child === undefined && tools.some(({ name }) => name === READ_SKILL);
    const [inForce, instructions, skills] = await Promise.all([
      customizations.persona(options.persona),
      customizations.instructions(child === undefined ? undefined : CHILD_INSTRUCTIONS),
      canRead ? customizations.offeredSkills() : [],
    ]);
    const estimator = estimators.of(session?.id);
    const builder = new ContextBuilder({
      model,
      contextLimit,
      thinking: options.thinking,
      system:
        child === undefined
          ? promptOf(host, inForce, {
              mode: options.mode,
              instructions: instructions.text,
              skills: skillsText(skills),
            })
          : childPrompt(child, instructions),
      ...personaNumbers(settings, inForce, model.maxOutputTokens),
      historyLimit: settings('advanced.maxHistoryMessages'),
      estimator,
      exact: {
        decidedAt: [dueAt, GUARD_SHARE * contextLimit],
        count: async (request) => {
          await session?.recorded();
          return models.countTokens(request);
        },
      },
    });
    const small = roleModel('summary', models, settings, model.id);
    const compactor = new ScheduledCompaction(
      new Compactor({
        ids: store.ids,
        clock,
        estimator,
        ...(model.offline === true ? {} : { summarizer: { call, model: small } }),
        journal,
      }),
      {
        dueAt,
        keep: settings('advanced.keepMessages'),
      },
    );
    const named = [
      ...skills.map(({ name, description }) => [`/${name}`, description] as const),
      ...inForce.layers.map(({ name, text }) => [`persona ${name}`, text] as const),
    ];
    return {
      tools,
      builder,
      compactor,
      contextLimit,
      texts: {
        ...instructions.texts,
        inForce: { ...instructions.texts.inForce, ...Object.fromEntries(named) },
      },
      dispose: () => compactor.dispose(),
    };
  };
}
