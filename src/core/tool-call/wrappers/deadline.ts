import { tells } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { toolOf } from './lookup.ts';
import { canceledOutcome, failedOutcome } from '../result.ts';
import type { ToolCallRequest, ToolContext, ToolOutcome, WrapToolCall } from '../tool-call.ts';

/** Milliseconds that a tool has to stop after its signal; a command gets 2 s before SIGKILL. */
const GRACE = 5000;

/**
 * Times its limit that a call to a server may work while it reports progress, with or without another value: a server
 * that only reports is stopped then, too. Our own number.
 */
const PROGRESS_FACTOR = 10;

/** Inside retry. Asks a slow tool to stop, or abandons it; `defaultMs`: setting `advanced.toolTimeoutSeconds`. */
export function withDeadline(clock: Clock, defaultMs: () => number): WrapToolCall {
  return (next) => async (request) => {
    const limit = limitOf(request) ?? defaultMs();
    const late = new AbortController();
    const { promise: abandoned, resolve: abandon } = Promise.withResolvers<'abandoned'>();
    const most = toolOf(request).server === undefined ? limit : limit * PROGRESS_FACTOR;
    const timer = new Countdown(clock, { limit, most }, () => late.abort());
    const timers: Disposable[] = [timer];
    const signal = AbortSignal.any([request.context.signal, late.signal]);
    const startGrace = (): void => void timers.push(clock.after(GRACE, () => abandon('abandoned')));
    if (signal.aborted) startGrace();
    else signal.addEventListener('abort', startGrace, { once: true });
    try {
      const context = { ...request.context, signal, ...timer.hooks(request.context) };
      const running = next({ ...request, context });
      const ended = await Promise.race([running, abandoned]);
      if (ended === 'abandoned') {
        running.catch(() => undefined); // it is nobody's business any more
        return abandonedOutcome(request, late.signal, timer.end);
      }
      const stoppedByUs =
        late.signal.aborted && ended.result.state === 'canceled' && !request.context.signal.aborted;
      return stoppedByUs ? lateOutcome(request, ended, timer.end) : ended;
    } finally {
      signal.removeEventListener('abort', startGrace);
      for (const timer of timers) timer.dispose();
    }
  };
}

interface TimeLimits {
  /** Milliseconds without progress. */
  readonly limit: number;
  /** Milliseconds in all. */
  readonly most: number;
}

/** A tool's time, which stands still while a person is asked (it is theirs), and begins anew with each progress. */
class Countdown implements Disposable {
  readonly #clock: Clock;
  readonly #limits: TimeLimits;
  readonly #onEnd: () => void;
  /** Milliseconds worked before `since`. */
  #worked = 0;
  #end: number;
  #isOver = false;
  #questions = 0;
  #running: { readonly timer: Disposable; readonly since: number };

  constructor(clock: Clock, limits: TimeLimits, onEnd: () => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onEnd = () => {
      this.#isOver = true;
      onEnd();
    };
    this.#end = limits.limit;
    this.#running = this.#start();
  }

  /** Milliseconds of work after which the time is up. */
  get end(): number {
    return this.#end;
  }

  /** The ways in which a tool asks. */
  hooks({ emit, confirm }: ToolContext): Pick<ToolContext, 'emit' | 'confirm'> {
    return {
      emit: (event) => {
        if (event.type === 'agent_run.waiting') this.#pause();
        if (event.type === 'agent_run.answered') this.#goOn();
        if (event.type === 'tool.progress') this.#extend();
        emit(event);
      },
      ...(confirm === undefined
        ? {}
        : {
            confirm: async (preview, reasons) => {
              this.#pause();
              return confirm(preview, reasons).finally(() => this.#goOn());
            },
          }),
    };
  }

  dispose(): void {
    this.#isOver = true;
    this.#running.timer.dispose();
  }

  #pause(): void {
    this.#questions += 1;
    if (this.#questions === 1) this.#stop();
  }

  #goOn(): void {
    this.#questions -= 1;
    if (this.#questions === 0) this.#running = this.#start();
  }

  #extend(): void {
    if (this.#isOver) return;
    const isRunning = this.#questions === 0;
    if (isRunning) this.#stop();
    const { limit, most } = this.#limits;
    this.#end = Math.max(this.#end, Math.min(most, this.#worked + limit));
    if (isRunning) this.#running = this.#start();
  }

  #stop(): void {
    this.#running.timer.dispose();
    this.#worked += this.#clock.monotonic() - this.#running.since;
  }

  #start(): { readonly timer: Disposable; readonly since: number } {
    const since = this.#clock.monotonic();
    const left = Math.max(0, this.#end - this.#worked);
    return { since, timer: this.#clock.after(left, this.#onEnd) };
  }
}

function limitOf(request: ToolCallRequest): number | undefined {
  const { timeoutMs } = toolOf(request);
  return typeof timeoutMs === 'function' ? timeoutMs(request.part.input) : timeoutMs;
}

function lateOutcome({ part }: ToolCallRequest, ended: ToolOutcome, limit: number): ToolOutcome {
  const said = told`${part.name} was stopped after ${seconds(limit)} s, its limit. Ask for less at once, or for a longer limit where the tool has one.`;
  const failed = failedOutcome(part, { code: 'timeout', ...tells(said) });
  return { ...failed, result: { ...ended.result, ...failed.result } };
}

function abandonedOutcome(
  { part, context }: ToolCallRequest,
  late: AbortSignal,
  limit: number,
): ToolOutcome {
  const warning = told`${part.name} did not stop within ${seconds(GRACE)} s of being told to; it was abandoned and may still be at work. Check before you repeat it.`;
  if (!late.aborted) return canceledOutcome(part, context.signal, tells(warning));
  const words = tells(told`${part.name} exceeded its limit of ${seconds(limit)} s.`, warning);
  return failedOutcome(part, { code: 'timeout', ...words, details: { abandoned: true } });
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;
