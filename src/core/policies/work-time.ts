import { BelayError, type Failure, tells } from '../../domain/failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { told, type Told } from '../../domain/text/told.ts';

/** A signal that fires when a run has worked for a given time. */
export interface Deadline extends Disposable {
  /** Its reason is a `BelayError` with code `time_limit`. */
  readonly signal: AbortSignal;
}

/** Minutes as people say them: "15 minutes", "90 seconds". */
function duration(ms: number): Told {
  const seconds = Math.round(ms / 1000);
  if (seconds >= 120 && seconds % 60 === 0) return told`${seconds / 60} minutes`;
  return told`${seconds} seconds`;
}

/** The failure of a run that used up its time (C5). */
export function timeLimitFailure(limitMs: number): Failure {
  return {
    code: 'time_limit',
    ...tells(
      told`Paused after ${duration(limitMs)} of work, the time limit of one run. Everything done so far is kept. Choose Continue to go on, or raise belay.advanced.softTimeLimitSeconds and belay.advanced.hardTimeLimitSeconds.`,
    ),
    details: { limitMs },
  };
}

/** The stopwatch of a run (C5): counts work, not waiting for the human, by the monotonic clock. */
export class WorkTime {
  readonly #clock: Clock;
  readonly #deadlines = new Set<{ readonly arm: () => void; readonly disarm: () => void }>();
  /** Milliseconds counted before `#since`. */
  #counted: number;
  #since: number;
  #pauses = 0;

  /** `startMs`: work done before, from the checkpoint. */
  constructor(clock: Clock, startMs = 0) {
    this.#clock = clock;
    this.#counted = startMs;
    this.#since = clock.monotonic();
  }

  get activeMs(): number {
    return this.#counted + (this.#pauses > 0 ? 0 : this.#clock.monotonic() - this.#since);
  }

  /** Stops counting until disposed; several waits may overlap. */
  pause(): Disposable {
    if (this.#pauses === 0) {
      this.#counted = this.activeMs;
      for (const deadline of this.#deadlines) deadline.disarm();
    }
    this.#pauses += 1;
    let over = false;
    return {
      dispose: () => {
        if (over) return;
        over = true;
        this.#pauses -= 1;
        if (this.#pauses > 0) return;
        this.#since = this.#clock.monotonic();
        for (const deadline of this.#deadlines) deadline.arm();
      },
    };
  }

  /** Fires when the work reaches `limitMs`; at once when it has already. Dispose of it when the run ends. */
  deadline(limitMs: number): Deadline {
    const controller = new AbortController();
    let timer: Disposable | undefined;
    const disarm = (): void => {
      timer?.dispose();
      timer = undefined;
    };
    const arm = (): void => {
      const left = limitMs - this.activeMs;
      if (left <= 0) controller.abort(new BelayError(timeLimitFailure(limitMs)));
      else timer = this.#clock.after(left, arm);
    };
    const entry = { arm, disarm };
    this.#deadlines.add(entry);
    if (this.#pauses === 0) arm();
    return {
      signal: controller.signal,
      dispose: () => {
        this.#deadlines.delete(entry);
        disarm();
      },
    };
  }
}
