import { cleanText } from '../../domain/text/honest-text.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Emit } from '../../core/ports/events.ts';

/** Between two pieces of live output, in milliseconds: quick for a person, cheap for the panel. */
const INTERVAL = 100;
/** Characters of one piece. What a person could not read anyway is left out of the live view; the result has all. */
const LONGEST_PIECE = 8192;

/** The beginning of a terminal sequence, or a CR that an LF may follow, at the end of a piece. */
// oxlint-disable-next-line no-control-regex
const UNFINISHED = /(?:\u001b(?:[ -/]*|\[[0-?]*[ -/]*|\][^\u0007\u001b]{0,256})|\r)$/u;

/** Passes a command's output on as it comes (D11), in few and bounded pieces. */
export class OutputStream implements Disposable {
  readonly #send: (text: string) => void;
  readonly #clock: Clock;
  #waiting = '';
  #left = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, emit: Emit, callId: string) {
    this.#clock = clock;
    this.#send = (text) => emit({ type: 'tool.output', callId, text });
  }

  add(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length > LONGEST_PIECE * 2) {
      const cut = this.#waiting.length - LONGEST_PIECE;
      this.#left += cut;
      this.#waiting = this.#waiting.slice(cut);
    }
    this.#timer ??= this.#clock.after(INTERVAL, () => this.#flush());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#flush(true);
  }

  #flush(last = false): void {
    this.#timer = undefined;
    // A terminal sequence whose end has not arrived yet waits for it.
    const open = last ? '' : (UNFINISHED.exec(this.#waiting)?.[0] ?? '');
    const whole = this.#waiting.slice(0, this.#waiting.length - open.length);
    this.#waiting = open;
    if (whole === '') return;
    const cut = Math.max(0, whole.length - LONGEST_PIECE);
    const left = this.#left + cut;
    this.#left = 0;
    const text = cleanText(whole.slice(cut));
    this.#send(left > 0 ? `[… ${left} characters …]\n${text}` : text);
  }
}
