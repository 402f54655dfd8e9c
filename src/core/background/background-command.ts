import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { BackgroundProcess, ProcessEnd } from '../ports/commands/background-shell.ts';
import { BoundedOutput } from './bounded-output.ts';
import { promptIn, saysReady } from './ready-line.ts';

/** Characters kept of what was printed since the last look: from its beginning and from its end. */
const UNREAD_HEAD = 64 * 1024;
const UNREAD_TAIL = 192 * 1024;
/** Characters of the end of the output that a card shows. */
const TAIL = 4000;
/** Milliseconds of silence after which what was printed is taken for all there is for now. */
const QUIET = 1500;
/** Between two looks whether it waits for input, in milliseconds. */
const LOOK = 250;

export interface BackgroundReport {
  /** Printed since the last look; bounded. */
  readonly output: string;
  /** Characters of it. */
  readonly total: number;
  readonly state: BackgroundState;
}

export type BackgroundState =
  | { readonly kind: 'running'; readonly waitsFor?: string }
  | { readonly kind: 'ended'; readonly end: ProcessEnd; readonly stoppedBy?: 'model' | 'person' };

/** Whose command it is. */
export interface BackgroundOrigin {
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly messageId?: string | undefined;
  readonly command: string;
  /** As a person reads it. */
  readonly cwd: string;
}

/** A command that goes on beside its run; remembers what was printed since the last look. */
export class BackgroundCommand {
  readonly origin: BackgroundOrigin;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly #clock: Clock;
  readonly #changes = new Set<() => void>();
  #process: BackgroundProcess | undefined;
  #unread = new BoundedOutput(UNREAD_HEAD, UNREAD_TAIL);
  /** The end of what was printed since the last look. */
  #fresh = '';
  #tail = '';
  #total = 0;
  #end: ProcessEnd | undefined;
  #stoppedBy: 'model' | 'person' | undefined;
  #lastOutput: number;

  constructor(origin: BackgroundOrigin, clock: Clock) {
    this.origin = origin;
    this.#clock = clock;
    this.startedAt = clock.now();
    this.#lastOutput = clock.monotonic();
  }

  /** Its process has begun. Resolves when it has ended. */
  async follow(process: BackgroundProcess): Promise<void> {
    this.#process = process;
    this.#end = await process.ended;
    this.#changed();
  }

  add(text: string): void {
    this.#unread.add(text);
    this.#fresh = (this.#fresh + text).slice(-TAIL);
    this.#tail = (this.#tail + text).slice(-TAIL);
    this.#total += text.length;
    this.#lastOutput = this.#clock.monotonic();
    this.#changed();
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  /** Something was printed since the last look. */
  get hasUnread(): boolean {
    return this.#unread.total > 0;
  }

  /** The end of the output, and the characters of all of it. */
  get printed(): { readonly tail: string; readonly total: number } {
    return { tail: this.#tail, total: this.#total };
  }

  get state(): BackgroundState {
    if (this.#end === undefined) return { kind: 'running' };
    const by = this.#stoppedBy === undefined ? {} : { stoppedBy: this.#stoppedBy };
    return { kind: 'ended', end: this.#end, ...by };
  }

  async report(): Promise<BackgroundReport> {
    const waitsFor = this.running ? await this.#waitsFor() : undefined;
    const unread = this.#unread;
    this.#unread = new BoundedOutput(UNREAD_HEAD, UNREAD_TAIL);
    this.#fresh = '';
    const { state } = this;
    return {
      output: unread.toString(),
      total: unread.total,
      state: waitsFor === undefined || state.kind === 'ended' ? state : { ...state, waitsFor },
    };
  }

  /** Waits at most `ms` for an end, a line that says it is up, a question, or silence. */
  async settle(ms: number, signal: AbortSignal): Promise<void> {
    const until = this.#clock.monotonic() + ms;
    let looked = this.#clock.monotonic();
    for (;;) {
      const now = this.#clock.monotonic();
      if (!this.running || now >= until) return;
      if (saysReady(this.#fresh)) return;
      if (this.#fresh !== '' && now - this.#lastOutput >= QUIET) return;
      if (now - this.#lastOutput >= LOOK && now - looked >= LOOK) {
        looked = now;
        if ((await this.#waitsFor()) !== undefined) return;
      }
      await this.#next(Math.min(LOOK, until - now), signal);
    }
  }

  async write(text: string): Promise<void> {
    if (text === '\u0003') this.#process?.interrupt();
    else if (text === '\u0004') this.#process?.closeInput();
    else await this.#process?.write(text.endsWith('\n') ? text : `${text}\n`);
    this.#lastOutput = this.#clock.monotonic();
  }

  async stop(by: 'model' | 'person'): Promise<void> {
    if (!this.running) return;
    this.#stoppedBy ??= by;
    await this.#process?.stop();
  }

  /** The question the command waits with, or `input` where it asks none. */
  async #waitsFor(): Promise<string | undefined> {
    const prompt = promptIn(this.#tail);
    if ((await this.#process?.waitsForInput()) === true) return prompt ?? 'input';
    // A question that has been standing there for a while, of a program that does not block.
    return prompt !== undefined && this.#clock.monotonic() - this.#lastOutput >= QUIET
      ? prompt
      : undefined;
  }

  #changed(): void {
    for (const listener of this.#changes) listener();
  }

  /** Resolves with the next output, at the end, or after `ms`. */
  async #next(ms: number, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const changed = new Promise<void>((resolve) => {
      const listening: Disposable = { dispose: () => this.#changes.delete(listener) };
      const listener = (): void => resolve();
      this.#changes.add(listener);
      stop.signal.addEventListener('abort', () => listening.dispose(), { once: true });
    });
    try {
      const sleeping = this.#clock.sleep(ms, AbortSignal.any([signal, stop.signal]));
      sleeping.catch(() => undefined);
      await Promise.race([changed, sleeping]);
    } finally {
      stop.abort();
    }
  }
}
