import type { LedgerEntry } from '../../../domain/run.ts';
import { told } from '../../../domain/text/told.ts';
import { failureOf, sentenceOf, tells } from '../../../domain/failure.ts';
import { WorkTime } from '../../policies/work-time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { isSafeToBegin } from './ledger.ts';
import { toolOf } from './lookup.ts';
import { canceledOutcome, failedOutcome } from '../result.ts';
import type { RunLedger } from '../run-ledger.ts';
import type { ToolCallRequest, WrapToolCall } from '../tool-call.ts';

/**
 * Inside permission, outside retry. Writes `running` before a side effect begins (durability, rule
 * 1), and counts the time of work.
 */
export function withStarted(runs: RunLedger, clock: Clock): WrapToolCall {
  return (next) => async (request) => {
    const { part, context } = request;
    const tool = toolOf(request);
    if (context.signal.aborted) return canceledOutcome(part, context.signal);
    const row = await rowOf(runs, request, clock.now());
    if (tool.sideEffects) {
      try {
        await runs.record(row);
      } catch (thrown) {
        if (context.signal.aborted) return canceledOutcome(part, context.signal);
        const failure = failureOf(thrown);
        const said = told`${part.name} was not started, because the record of it could not be written: ${sentenceOf(failure)}`;
        return failedOutcome(part, { ...failure, code: 'store', ...tells(said) });
      }
      // The stop may have come while the row was written; nothing has happened yet.
      if (context.signal.aborted) return canceledOutcome(part, context.signal);
    } else {
      // Counts the beginnings of calls that Belay does not survive.
      runs.recordSoon(row);
    }
    const permission = tool.permissionFor?.(part.input) ?? tool.permission;
    context.emit({
      type: 'tool.started',
      callId: part.id,
      name: part.name,
      ...(permission === 'execute' ? { executes: true } : {}),
    });
    const work = new WorkTime(clock);
    const waits = new Map<string, Disposable>();
    const outcome = await next({
      ...request,
      context: {
        ...context,
        emit: (event) => {
          if (event.type === 'agent_run.waiting') waits.set(event.questionId, work.pause());
          if (event.type === 'agent_run.answered') waits.get(event.questionId)?.dispose();
          context.emit(event);
        },
        recordProcess: async (process) => {
          const entry = (await runs.entry(context.runId, part.id)) ?? row;
          await runs.record({ ...entry, process });
        },
      },
    });
    return { ...outcome, result: { ...outcome.result, elapsedMs: Math.round(work.activeMs) } };
  };
}

async function rowOf(
  runs: RunLedger,
  { part, context, tool }: ToolCallRequest,
  startedAt: number,
): Promise<LedgerEntry> {
  const known = await runs.entry(context.runId, part.id);
  return {
    ...known,
    attempts: (known?.attempts ?? 0) + 1,
    runId: context.runId,
    sessionId: context.sessionId,
    callId: part.id,
    name: part.name,
    input: part.input,
    idempotent: tool === undefined || isSafeToBegin(tool),
    state: 'running',
    startedAt,
  };
}
