import type { Clock } from '../../ports/clock.ts';
import { toolOf } from './lookup.ts';
import { canceledOutcome, failedOutcome } from '../result.ts';
import type { ToolCallRequest, ToolOutcome, WrapToolCall } from '../tool-call.ts';

/** Milliseconds that a tool has to stop after its signal; a command gets 2 s before SIGKILL. */
const GRACE = 5000;

/** Inside retry. Asks a slow tool to stop, or abandons it; `defaultMs`: setting `tools.timeout`. */
export function withDeadline(clock: Clock, defaultMs: () => number): WrapToolCall {
  return (next) => async (request) => {
    const limit = limitOf(request) ?? defaultMs();
    const late = new AbortController();
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<'abandoned'>();
    const timers = [clock.after(limit, () => late.abort())];
    const signal = AbortSignal.any([request.context.signal, late.signal]);
    const startGrace = (): void => void timers.push(clock.after(GRACE, () => abandon('abandoned')));
    if (signal.aborted) startGrace();
    else signal.addEventListener('abort', startGrace, { once: true });
    try {
      const running = next({ ...request, context: { ...request.context, signal } });
      const ended = await Promise.race([running, abandoned]);
      if (ended === 'abandoned') {
        running.catch(() => undefined); // it is nobody's business any more
        return abandonedOutcome(request, late.signal, limit);
      }
      const stoppedByUs =
        late.signal.aborted && ended.result.state === 'canceled' && !request.context.signal.aborted;
      return stoppedByUs ? lateOutcome(request, ended, limit) : ended;
    } finally {
      signal.removeEventListener('abort', startGrace);
      for (const timer of timers) timer.dispose();
    }
  };
}

function limitOf(request: ToolCallRequest): number | undefined {
  const { timeoutMs } = toolOf(request);
  return typeof timeoutMs === 'function' ? timeoutMs(request.part.input) : timeoutMs;
}

function lateOutcome({ part }: ToolCallRequest, ended: ToolOutcome, limit: number): ToolOutcome {
  const message = `${part.name} was stopped after ${seconds(limit)}, its limit. Ask for less at once, or for a longer limit where the tool has one.`;
  const failed = failedOutcome(part, { code: 'timeout', message });
  return {
    ...failed,
    result: { ...ended.result, state: 'failed', content: failed.result.content },
  };
}

function abandonedOutcome(
  { part, context }: ToolCallRequest,
  late: AbortSignal,
  limit: number,
): ToolOutcome {
  const warning = `${part.name} did not stop within ${seconds(GRACE)} of being told to; it was abandoned and may still be at work. Check before you repeat it.`;
  if (!late.aborted) return canceledOutcome(part, context.signal, warning);
  const message = `${part.name} exceeded its limit of ${seconds(limit)}. ${warning}`;
  return failedOutcome(part, { code: 'timeout', message, details: { abandoned: true } });
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
