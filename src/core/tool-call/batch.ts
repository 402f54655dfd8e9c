import { canonicalJson } from '../../domain/data/json.ts';
import type { ToolCallPart, ToolResultPart } from '../../domain/message.ts';
import { told } from '../../domain/text/told.ts';
import { canceledOutcome, toldResult } from './result.ts';
import type { Tool, ToolCall, ToolCallRequest, ToolContext } from './tool-call.ts';

export interface BatchOptions {
  readonly toolCall: ToolCall;
  /** The run's tools; a call of anything else is answered by lookup. */
  readonly tools: readonly Tool[];
  /** Read-only calls at the same time, from the setting `advanced.parallelToolCalls`. */
  readonly parallel: number;
  readonly contextOf: (call: ToolCallPart) => ToolContext;
  readonly signal: AbortSignal;
}

/** Answers a turn's calls in order (E2), reading ones together; ends the rest (B4, D4). */
export async function runBatch(
  calls: readonly ToolCallPart[],
  options: BatchOptions,
): Promise<readonly ToolResultPart[]> {
  for (const call of calls) {
    options
      .contextOf(call)
      .emit({ type: 'tool.pending', callId: call.id, name: call.name, input: call.input });
  }
  const batch: Batch = {
    calls,
    options,
    results: new Map(),
    denied: false,
    repeated: repeatedIn(calls, options.tools),
  };
  for (const group of groupsOf(calls, options.tools)) {
    if (group.parallel) await runTogether(batch, group.calls);
    else for (const call of group.calls) await answer(batch, call);
  }
  return calls.flatMap((call) => batch.results.get(call) ?? []);
}

interface Batch {
  readonly calls: readonly ToolCallPart[];
  readonly options: BatchOptions;
  readonly results: Map<ToolCallPart, ToolResultPart>;
  denied: boolean;
  /** Are not made any more. */
  readonly repeated: ReadonlySet<ToolCallPart>;
}

/** C2: the same side effect so often in one turn is a model that goes in circles, and nobody could stop it in time. */
const MOST_REPEATED = 3;

/** Calls with side effects that are the same as so many before them in the turn. */
function repeatedIn(
  calls: readonly ToolCallPart[],
  tools: readonly Tool[],
): ReadonlySet<ToolCallPart> {
  const acts = new Set(tools.filter((tool) => tool.sideEffects).map((tool) => tool.name));
  const counts = new Map<string, number>();
  if (calls.length <= MOST_REPEATED) return new Set();
  return new Set(
    calls.filter(({ name, input, via }) => {
      if (!acts.has(name) && (via === undefined || !acts.has(via))) return false;
      const key = `${name} ${canonicalJson(input)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return (counts.get(key) ?? 0) > MOST_REPEATED;
    }),
  );
}

const REPEATED = told`Not run: the same call stands more than ${MOST_REPEATED} times in this turn. Look at the results of the first ones, then call it again if it has to be done once more.`;
const DENIED_BEFORE = told`Canceled because the user denied an earlier call of this turn.`;

interface Group {
  readonly parallel: boolean;
  readonly calls: ToolCallPart[];
}

/** Maximal runs of calls that may go together. A call that cannot run has no side effects. */
function groupsOf(calls: readonly ToolCallPart[], tools: readonly Tool[]): readonly Group[] {
  const serial = new Set(tools.filter((tool) => tool.sideEffects).map((tool) => tool.name));
  const groups: Group[] = [];
  for (const call of calls) {
    const parallel = !serial.has(call.name) || call.invalid !== undefined;
    const last = groups.at(-1);
    if (last?.parallel === parallel) last.calls.push(call);
    else groups.push({ parallel, calls: [call] });
  }
  return groups;
}

async function runTogether(batch: Batch, calls: readonly ToolCallPart[]): Promise<void> {
  const waiting = calls.values();
  const worker = async (): Promise<void> => {
    for (const call of waiting) await answer(batch, call);
  };
  const workers = Math.max(1, Math.min(batch.options.parallel, calls.length));
  await Promise.all(Array.from({ length: workers }, worker));
}

/** The edit calls after this one that can share its approval: no call with other side effects is between them. */
function findFollowing(
  { calls, options: { tools, contextOf } }: Batch,
  call: ToolCallPart,
): NonNullable<ToolCallRequest['following']> {
  const toolOf = ({ name }: ToolCallPart): Tool | undefined =>
    tools.find((tool) => tool.name === name);
  if (toolOf(call)?.plansEdits !== true) return [];
  const following: { part: ToolCallPart; tool: Tool; context: ToolContext }[] = [];
  for (const part of calls.slice(calls.indexOf(call) + 1)) {
    const tool = toolOf(part);
    if (tool === undefined || !tool.sideEffects) continue;
    if (tool.plansEdits !== true) break;
    const checked = part.invalid === undefined ? tool.check(part.input) : { problem: '' };
    if ('problem' in checked) continue;
    following.push({ part: { ...part, input: checked.input }, tool, context: contextOf(part) });
  }
  return following;
}

async function answer(batch: Batch, call: ToolCallPart): Promise<void> {
  const { toolCall, contextOf, signal } = batch.options;
  const context = contextOf(call);
  const { result, replayed = false } = signal.aborted
    ? canceledOutcome(call, signal)
    : batch.denied
      ? { result: toldResult(call, 'canceled', DENIED_BEFORE) }
      : batch.repeated.has(call)
        ? { result: toldResult(call, 'canceled', REPEATED) }
        : await toolCall({ part: call, context, following: findFollowing(batch, call) });
  if (result.state === 'denied') batch.denied = true;
  batch.results.set(call, result);
  context.emit({ type: 'tool.finished', callId: call.id, name: call.name, result, replayed });
}
