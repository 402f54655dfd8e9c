import type { Clock, Disposable, Emit } from '../core/ports.ts';

/** Between two pieces of live output, in milliseconds: quick for a person, cheap for the panel. */
const INTERVAL = 100;
/** Characters of one piece. What a person could not read anyway is left out of the live view; the result has all. */
const LONGEST_PIECE = 8192;

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
    this.#flush();
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#waiting === '') return;
    const cut = Math.max(0, this.#waiting.length - LONGEST_PIECE);
    const left = this.#left + cut;
    const text = this.#waiting.slice(cut).toWellFormed();
    this.#waiting = '';
    this.#left = 0;
    this.#send(left > 0 ? `[… ${left} characters …]\n${text}` : text);
  }
}
