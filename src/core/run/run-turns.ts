/** Why a session waits although nothing works in it. */
export interface Turn {
  /** Runs that are on, as many as may be. */
  readonly running: number;
  /** Sessions whose turn is before. */
  readonly before: number;
}

/** The runs of a process that may be on at a time (C7): a session beyond that waits for its turn, first come first served. */
export class RunTurns {
  readonly #running: () => number;
  readonly #most: () => number;
  /** In the order in which they came. */
  readonly #waiting = new Set<string>();

  /**
   * @param running runs that are on
   * @param most how many may be, from the setting `advanced.parallelRuns`
   */
  constructor(running: () => number, most: () => number) {
    this.#running = running;
    this.#most = most;
  }

  /** Who comes now waits for a turn. */
  isFull(): boolean {
    return this.#waiting.size > 0 || this.#running() >= this.#most();
  }

  /** The session has something to run. */
  wait(sessionId: string): void {
    this.#waiting.add(sessionId);
  }

  /** Takes the session whose turn it is; `undefined`: none waits, or too much is on. */
  take(): string | undefined {
    if (this.#running() >= this.#most()) return undefined;
    const [first] = this.#waiting;
    if (first !== undefined) this.#waiting.delete(first);
    return first;
  }

  /** `undefined`: the session does not wait for a turn. */
  of(sessionId: string): Turn | undefined {
    const before = [...this.#waiting].indexOf(sessionId);
    return before < 0 ? undefined : { running: this.#running(), before };
  }
}
