import { told } from '../domain/text/told.ts';
import { because, sentenceOf } from '../domain/failure.ts';
import { type ToolCallPart, toolCallsOf } from '../domain/message.ts';
import type { RunEnd } from '../domain/run.ts';
import type { AssistantTurn } from './run/assistant-turn.ts';
import type { LoopRun } from './loop-run.ts';
import type { CallRecord, TurnOutcome } from './policy.ts';
import { leavesCallsOpen, runEndOf } from './run/run-end.ts';
import { announced } from './session/transcript.ts';

/** Four steps of the recovery ladder and one of the guard, then a stop; more verdicts at one boundary are a defect. */
const VERDICTS_A_BOUNDARY = 8;

/**
 * The loop: ask the policies, stream one model call, run its tool calls, ask again; every step is durable before the
 * next one acts on it. It ends at an answer with neither tool calls nor a failure that a policy claims.
 */
export async function runLoop(run: LoopRun): Promise<RunEnd> {
  let calls = run.transcript.unanswered();
  for (;;) {
    let turn: AssistantTurn | undefined;
    if (calls.length === 0) {
      run.state.iteration += 1;
      const { end } = await boundary(run, 'before');
      if (end !== undefined) return end;
      turn = await run.callModel();
      if (leavesCallsOpen(run.signal)) return runEndOf(run.signal);
      calls = await keepTurn(run, turn);
    }
    const records = await answer(run, calls);
    if (leavesCallsOpen(run.signal)) return runEndOf(run.signal);
    // A run that was stopped does not go on with them.
    const steered = run.signal.aborted ? [] : await run.takeSteering();
    for (const message of steered) run.emit({ type: 'message.added', message });
    const { end, acted } = await boundary(run, 'after', outcomeOf(turn, records));
    if (end !== undefined) return end;
    if (turn?.failure !== undefined && !acted)
      return runEndOf({ kind: 'stop', reason: 'failure', failure: turn.failure });
    if (calls.length === 0 && steered.length === 0 && !acted)
      return { reason: 'done', state: 'completed', canContinue: false };
    calls = [];
  }
}

/** Asks the policies and does what they say. `acted`: the next turn sees something new. */
async function boundary(
  run: LoopRun,
  moment: 'before' | 'after',
  turn?: TurnOutcome,
): Promise<{ end?: RunEnd; acted: boolean }> {
  for (let asked = 0; asked < VERDICTS_A_BOUNDARY; asked += 1) {
    if (run.signal.aborted) return { end: runEndOf(run.signal), acted: false };
    const { verdict, events } = run.policies.ask(moment, await run.view(moment, turn));
    for (const event of events) run.emit(event);
    switch (verdict.kind) {
      case 'continue':
        return { acted: false };
      case 'stop':
        return { end: runEndOf(verdict), acted: false };
      case 'inject':
        run.state.forceTool = verdict.forceTool ?? run.state.forceTool;
        await inject(run, verdict.messages);
        return { acted: true };
      case 'compact':
        await run.compact(verdict);
        if (moment === 'after') return { acted: true };
        break; // the next request is smaller now: ask again whether it may be sent
      default:
        return verdict satisfies never;
    }
  }
  return { acted: true };
}

async function inject(run: LoopRun, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  const parts = texts.map((text) => ({ type: 'text', text }) as const);
  const message = run.transcript.append({ role: 'user', origin: 'policy', parts });
  await run.checkpoint('input', [message]);
  run.emit({ type: 'message.added', message });
}

/** Keeps what a model call left; gives the calls to run. */
async function keepTurn(run: LoopRun, turn: AssistantTurn): Promise<readonly ToolCallPart[]> {
  run.state.forceTool = undefined;
  if (turn.parts.length === 0) {
    run.emit({
      type: 'message.discarded',
      messageId: turn.messageId,
      ...because(
        turn.failure === undefined ? told`The answer was empty.` : sentenceOf(turn.failure),
      ),
    });
    return [];
  }
  const { messageId: id, parts, model, usage } = turn;
  const message = run.transcript.append({
    id,
    role: 'assistant',
    parts,
    model,
    ...(usage === undefined ? {} : { usage }),
  });
  const calls = turn.failure === undefined ? toolCallsOf(message) : [];
  const kept = run.checkpoint('llm_response', [message]);
  // Read-only calls may overlap with the write; those with side effects wait in the ledger for it.
  if (calls.length === 0) await kept;
  else kept.catch(() => undefined);
  run.emit({ type: 'message.completed', message });
  return calls;
}

/** Runs the calls and keeps their results, unless the run stops with its calls left open. */
async function answer(
  run: LoopRun,
  calls: readonly ToolCallPart[],
): Promise<readonly CallRecord[]> {
  if (calls.length === 0) return [];
  const results = await run.runBatch(calls);
  if (leavesCallsOpen(run.signal)) return [];
  const messages = run.transcript.answer(results);
  // The next request is prepared meanwhile; it leaves when this is on disk, and what is refused ends the run there.
  run.checkpoint('tool_result', messages).catch(() => undefined);
  for (const message of messages) run.emit(announced(message));
  return calls.flatMap((call, index) =>
    results[index] === undefined ? [] : [run.recordOf(call, results[index])],
  );
}

function outcomeOf(turn: AssistantTurn | undefined, calls: readonly CallRecord[]): TurnOutcome {
  return {
    finish: turn?.finish ?? 'tool_use',
    hadText: turn?.parts.some((part) => part.type === 'text' && part.text.trim() !== '') ?? false,
    calls,
    ...(turn?.failure === undefined ? {} : { failure: turn.failure }),
  };
}
