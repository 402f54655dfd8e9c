import { told } from '../../../domain/text/told.ts';
import { type Failure, tells } from '../../../domain/failure.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type {
  ModelCall,
  ModelCallContext,
  ModelEvent,
  ModelRequest,
  WrapModelCall,
} from '../model-call.ts';

export interface WatchdogOptions {
  /** `advanced.firstByteTimeoutSeconds`, `advanced.streamIdleTimeoutSeconds`, `advanced.streamProgressTimeoutSeconds`, in seconds; read for each call. */
  readonly settings: Settings;
  readonly clock: Clock;
}

type Watch = 'first byte' | 'bytes' | 'progress';

/**
 * Three deadlines for a silent call: first byte, between bytes, between pieces of content (pings
 * are no progress). One that fires fails the call as `timeout`. Time in which the consumer is busy
 * does not count.
 */
export function withWatchdogs({ settings, clock }: WatchdogOptions): WrapModelCall {
  return (next) =>
    async function* watch(request, context) {
      const limits = {
        'first byte': settings('advanced.firstByteTimeoutSeconds') * 1000,
        bytes: settings('advanced.streamIdleTimeoutSeconds') * 1000,
        progress: settings('advanced.streamProgressTimeoutSeconds') * 1000,
      };
      const call = new WatchedCall(next, { request, context, clock, limits });
      try {
        for (;;) {
          const result = await call.next();
          if (result.done === true) return;
          yield result.value;
          if (result.value.type === 'complete' || result.value.type === 'failed') return;
        }
      } finally {
        call.dispose();
      }
    };
}

interface Watched {
  readonly request: ModelRequest;
  readonly context: ModelCallContext;
  readonly clock: Clock;
  readonly limits: Readonly<Record<Watch, number>>;
}

/** One call under watch. The deadlines are moved by writing a number; one timer looks at them. */
class WatchedCall {
  readonly #watched: Watched;
  readonly #events: AsyncIterator<ModelEvent>;
  readonly #stop = new AbortController();
  readonly #onAbort = (): void => this.#stop.abort(this.#watched.context.signal.reason);
  #timer: Disposable | undefined;
  #hasBytes = false;
  /** Milliseconds of waiting since the last byte, and since the last content, without the wait now under way. */
  #quiet = { bytes: 0, progress: 0 };
  #waitingSince: number | undefined;
  #bite: ((failed: IteratorResult<ModelEvent>) => void) | undefined;
  #isOver = false;

  constructor(next: ModelCall, withWatchdogs: Watched) {
    this.#watched = withWatchdogs;
    const { signal } = withWatchdogs.context;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#events = next(withWatchdogs.request, {
      ...withWatchdogs.context,
      signal: this.#stop.signal,
    })[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<ModelEvent>> {
    const { clock } = this.#watched;
    this.#waitingSince = clock.monotonic();
    if (this.#timer === undefined) this.#arm();
    return new Promise((resolve, reject) => {
      this.#bite = resolve;
      this.#events.next().then((result) => resolve(this.#settled(result)), reject);
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#watched.context.signal.removeEventListener('abort', this.#onAbort);
    if (this.#isOver) return;
    this.#stop.abort();
    // A call that hangs would never come back from `return`, so nobody waits for it.
    this.#events.return?.().then(undefined, () => undefined);
  }

  #settled(result: IteratorResult<ModelEvent>): IteratorResult<ModelEvent> {
    const waited = this.#watched.clock.monotonic() - (this.#waitingSince ?? 0);
    this.#waitingSince = undefined;
    // From here on other deadlines hold, which may be sooner than the one the timer was set for.
    if (!this.#hasBytes) {
      this.#timer?.dispose();
      this.#timer = undefined;
      this.#hasBytes = true;
    }
    const isProgress = result.done === true || result.value.type !== 'alive';
    this.#quiet = { bytes: 0, progress: isProgress ? 0 : this.#quiet.progress + waited };
    this.#isOver =
      result.done === true || result.value.type === 'complete' || result.value.type === 'failed';
    return result;
  }

  /** Milliseconds until the next deadline, while the call is being waited for. */
  #left(): { readonly watch: Watch; readonly ms: number } {
    const { clock, limits } = this.#watched;
    const waiting = this.#waitingSince === undefined ? 0 : clock.monotonic() - this.#waitingSince;
    const first = {
      watch: 'first byte',
      ms: limits['first byte'] - this.#quiet.bytes - waiting,
    } as const;
    if (!this.#hasBytes) return first;
    const bytes = { watch: 'bytes', ms: limits.bytes - this.#quiet.bytes - waiting } as const;
    const progress = {
      watch: 'progress',
      ms: limits.progress - this.#quiet.progress - waiting,
    } as const;
    return bytes.ms <= progress.ms ? bytes : progress;
  }

  #arm(): void {
    this.#timer = this.#watched.clock.after(Math.max(1, this.#left().ms), () => this.#look());
  }

  #look(): void {
    const { watch, ms } = this.#left();
    if (this.#waitingSince === undefined || ms > 0) {
      this.#arm();
      return;
    }
    const failure = failureOf(watch, this.#watched);
    this.#bite?.({ done: false, value: { type: 'failed', failure } });
  }
}

function failureOf(watch: Watch, { request, limits }: Watched): Failure {
  const seconds = limits[watch] / 1000;
  const { model } = request;
  const { what, setting } = {
    'first byte': {
      what: told`${model} did not begin to answer for ${seconds} seconds.`,
      setting: 'firstByteTimeoutSeconds',
    },
    bytes: {
      what: told`${model} fell silent for ${seconds} seconds.`,
      setting: 'streamIdleTimeoutSeconds',
    },
    progress: {
      what: told`${model} sent nothing but signs of life for ${seconds} seconds.`,
      setting: 'streamProgressTimeoutSeconds',
    },
  }[watch];
  return {
    code: 'timeout',
    ...tells(
      what,
      told`Everything so far is kept; nothing unfinished was run: send a message to go on. The limit is the setting belay.advanced.${setting}.`,
    ),
    details: { watchdog: setting },
  };
}
