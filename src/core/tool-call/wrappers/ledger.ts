import { type Failure, tells } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import type { ToolResultPart } from '../../../domain/message.ts';
import type { LedgerEntry, LedgerState } from '../../../domain/run.ts';
import { leavesCallsOpen } from '../../run/run-end.ts';
import type { Clock } from '../../ports/clock.ts';
import { expectedOutcome } from './catch-all.ts';
import { toolOf } from './lookup.ts';
import { failedOutcome, toldResult } from '../result.ts';
import type { RunLedger } from '../run-ledger.ts';
import type { Tool, ToolCall, ToolCallRequest, ToolOutcome, WrapToolCall } from '../tool-call.ts';

/**
 * Outside permission and retry (C9), one row a call. A call that ended is replayed; one that began,
 * has side effects and did not end is never repeated, nor is one in which Belay ended twice.
 * `started`, further in, writes that it runs.
 */
export function withLedger(runs: RunLedger, clock: Clock): WrapToolCall {
  return (next) => async (request) => {
    const { part, context } = request;
    const known = await runs.entry(context.runId, part.id);
    const replayed = replayOf(known);
    if (replayed !== undefined) return { result: replayed, replayed: true };
    if (known !== undefined && isInDoubt(known)) return inDoubt(known);
    if (known !== undefined && request.tool?.resumes !== true && hasHung(known)) return hung(known);
    runs.recordSoon({ ...pendingEntry(request), attempts: known?.attempts ?? 0 });
    const outcome = await outcomeOf(next, request);
    const entry = (await runs.entry(context.runId, part.id)) ?? pendingEntry(request);
    const ended = endedEntry(entry, outcome, clock.now());
    // A run that pauses leaves its open calls open: they are asked or run again on resume.
    const stays =
      outcome.result.state === 'canceled' && leavesCallsOpen(context.signal) && !isInDoubt(entry);
    // An end in good order is none in the middle of the work.
    const open = { ...entry, state: 'pending', attempts: known?.attempts ?? 0 } as const;
    if (!stays) runs.recordSoon(ended);
    else if (entry.idempotent) runs.recordSoon(open);
    return outcome;
  };
}

/** A refusal or a stop further in is an end like any other; a defect goes on to where it is logged. */
async function outcomeOf(next: ToolCall, request: ToolCallRequest): Promise<ToolOutcome> {
  try {
    return await next(request);
  } catch (thrown) {
    const expected = expectedOutcome(request, thrown);
    if (expected === undefined) throw thrown;
    return expected;
  }
}

/** The row of a call that the model asked for and nothing has been done about. */
function pendingEntry({ part, context, tool }: ToolCallRequest): LedgerEntry {
  return {
    runId: context.runId,
    sessionId: context.sessionId,
    callId: part.id,
    name: part.name,
    input: part.input,
    idempotent: isSafeToBegin(toolOf({ part, ...(tool === undefined ? {} : { tool }) })),
    state: 'pending',
    attempts: 0,
  };
}

/** True where a call that a crash cut off may be begun again. */
export const isSafeToBegin = ({
  sideEffects,
  resumes,
}: Pick<Tool, 'sideEffects' | 'resumes'>): boolean => !sideEffects || resumes === true;

const ENDED: Record<LedgerState, boolean> = {
  pending: false,
  approved: false,
  running: false,
  unknown: true, // with a result: the person or the run decided what to tell the model
  done: true,
  failed: true,
  denied: true,
  canceled: true,
};

function replayOf(entry: LedgerEntry | undefined): ToolResultPart | undefined {
  if (entry === undefined || !ENDED[entry.state] || entry.result === undefined) return undefined;
  return entry.result as unknown as ToolResultPart;
}

/** It may or may not have happened. */
function isInDoubt(entry: LedgerEntry): boolean {
  return !entry.idempotent && (entry.state === 'running' || entry.state === 'unknown');
}

/** Processes that may end in the middle of a read-only call before it is not begun again by itself. */
const MOST_ENDS = 2;

/** True when Belay ended in the middle of it again and again: the call may be the cause. */
function hasHung({ idempotent, state, attempts }: LedgerEntry): boolean {
  return idempotent && (state === 'running' || state === 'unknown') && attempts >= MOST_ENDS;
}

function hung({ callId, name, attempts }: LedgerEntry): ToolOutcome {
  const said = told`${name} was not run again: Belay ended ${attempts} times while it was at work, so this call may be what stops it. Ask for less at once, or find out in another way.`;
  return failedOutcome({ id: callId, name }, { code: 'resume_unsafe', ...tells(said) });
}

/** The answer when nobody decided: the model checks before it repeats anything. */
function inDoubt(entry: LedgerEntry): ToolOutcome {
  const said = told`${entry.name} was interrupted when Belay stopped. Its outcome is unknown: it may have happened, in part or whole. Check the present state before you do it again.`;
  const call = { id: entry.callId, name: entry.name };
  const failure: Failure = { code: 'resume_unsafe', ...tells(said) };
  return { result: toldResult(call, 'unknown', said), failure };
}

function endedEntry(entry: LedgerEntry, outcome: ToolOutcome, at: number): LedgerEntry {
  return {
    ...entry,
    state: outcome.result.state,
    completedAt: at,
    result: outcome.result as unknown as Json,
  };
}
