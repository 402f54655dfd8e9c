import { environmentText, mayBeShown } from '../../core/context/prompt/environment.ts';
import { PromptFiles } from '../../core/context/prompt/prompt-files.ts';
import { createDecide } from '../../core/permissions/decide.ts';
import { runTool } from '../../core/tool-call/run-tool.ts';
import { type Tool, type WrapToolCall, wrapAll } from '../../core/tool-call/tool-call.ts';
import { withCatchAll } from '../../core/tool-call/wrappers/catch-all.ts';
import { withDeadline } from '../../core/tool-call/wrappers/deadline.ts';
import { withHygiene } from '../../core/tool-call/wrappers/hygiene.ts';
import { withLookup } from '../../core/tool-call/wrappers/lookup.ts';
import { withSecretMask } from '../../core/tool-call/wrappers/secret-mask.ts';
import { withValidation } from '../../core/tool-call/wrappers/validate.ts';
import { withoutAsking } from '../../core/tool-call/wrappers/without-asking.ts';
import type { ContextTools } from '../../mcp/server/context-tools.ts';
import { editorStateTool } from '../../tools/context/editor-state.ts';
import { pendingChangesTool } from '../../tools/context/pending-changes.ts';
import type { Engine } from '../engine.ts';
import type { EngineHost } from '../engine-host.ts';

/** Of the tools of the agent itself: problems, declarations, and what is known of a symbol, its references too. */
const OF_THE_AGENT: ReadonlySet<string> = new Set(['diagnostics', 'find_symbol', 'inspect_symbol']);
/** Characters of one answer. */
const MOST = 50_000;

/** The host's parts that the context is made of. */
interface ContextHost extends Pick<EngineHost, 'clock' | 'log' | 'settings'> {
  readonly disk: Pick<EngineHost['disk'], 'files'>;
  readonly person: Pick<EngineHost['person'], 'home'>;
  readonly workspace: Pick<EngineHost['workspace'], 'roots' | 'seen' | 'environment'>;
}

type ContextEngine = Pick<Engine, 'tools' | 'guard' | 'permissions' | 'reviews' | 'secrets'>;

/**
 * The context of this window for other agents: tools that only read. Each call is judged as one of a guest in mode
 * Read, nobody is asked about it, and what it answers goes through the same masks as what the model gets.
 * @param more names of tools of the agent that are offered besides; they only read
 */
export function contextTools(
  host: ContextHost,
  engine: ContextEngine,
  more: ReadonlySet<string> = new Set(),
): ContextTools {
  const { clock, log, settings, workspace } = host;
  const { guard, permissions, reviews, secrets } = engine;
  const files = new PromptFiles({ files: host.disk.files, roots: workspace.roots }, guard);
  const { seen } = workspace;
  const own: readonly Tool[] = [
    ...(seen === undefined
      ? []
      : [
          editorStateTool(async () => {
            const shown = await mayBeShown(seen(), files);
            return environmentText({ ...workspace.environment(), ...shown }) ?? '';
          }),
        ]),
    ...(reviews === undefined
      ? []
      : [pendingChangesTool({ reviews, judge: (touch, roots) => guard.judge(touch, roots) })]),
  ];
  const tools = async (): Promise<readonly Tool[]> => [
    ...own,
    ...(await engine.tools.own()).filter(
      ({ name, sideEffects }) => !sideEffects && (OF_THE_AGENT.has(name) || more.has(name)),
    ),
  ];
  const decide = createDecide({
    guard,
    level: () => 'guest',
    mode: () => 'read',
    rules: async (_, roots) => (await permissions.rules.list(undefined, roots)).rules,
    ...(host.person.home === undefined ? {} : { home: host.person.home }),
  });
  const call = (offered: readonly Tool[]) =>
    wrapAll(runTool(log), [
      withCatchAll(log),
      withLookup(() => offered),
      withValidation(),
      withoutAsking(decide),
      withEnd(),
      withSecretMask(secrets, () => true),
      withHygiene(),
      withDeadline(clock, () => settings('advanced.toolTimeoutSeconds') * 1000),
    ]);
  return {
    list: tools,
    call: async (name, input, signal) => {
      const callId = `other-agent-${clock.now().toString(36)}`;
      const { result } = await call(await tools())({
        part: { type: 'tool_call', id: callId, name, input },
        context: {
          callId,
          runId: '',
          sessionId: '',
          roots: workspace.roots(),
          signal,
          emit: () => undefined,
          recordProcess: async () => undefined,
        },
      });
      const texts = result.content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
      return { text: texts.join('\n'), isError: result.state !== 'done' };
    },
  };
}

/** Cuts an answer: what is left out is not kept for others. */
function withEnd(): WrapToolCall {
  return (next) => async (request) => {
    const { result, ...outcome } = await next(request);
    const content = result.content.map((one) =>
      one.type === 'text' && one.text.length > MOST
        ? { ...one, text: `${one.text.slice(0, MOST)}\n[cut: ask for less at once]` }
        : one,
    );
    return { ...outcome, result: { ...result, content } };
  };
}
