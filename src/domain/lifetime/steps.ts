/** Long work in steps: between two of them whoever drives it may let others have their turn. */
export type Steps<T> = Generator<undefined, T>;

/** Milliseconds of work before others have their turn; nothing may keep the event loop for 50. */
const TURN = 10;

/** Lets others have the event loop now and then during long work that hardly waits. */
export class Turn {
  #began = performance.now();

  /** True when it is the others' turn. */
  get isOver(): boolean {
    return performance.now() - this.#began >= TURN;
  }

  /** To be awaited between small pieces of the work. */
  async pass(): Promise<void> {
    if (!this.isOver) return;
    await pause();
    this.#began = performance.now();
  }
}

/** Lets others have the event loop once. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // No time passes by any clock: a test has nothing to turn.
    // oxlint-disable-next-line no-restricted-globals
    setTimeout(resolve, 0);
  });
}

/** Characters or bytes over which one pass takes milliseconds. */
const LONG = 500_000;

/** Lets others have the event loop between two passes over a text or a file, if it is long. */
export async function betweenPasses({ length }: { readonly length: number }): Promise<void> {
  if (length >= LONG) await pause();
}

/** Does all steps without a pause. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Does all steps, and others have their turn now and then.
 * @param turn of work that these steps are a part of
 */
export async function byTurns<T>(steps: Steps<T>, turn = new Turn()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turn.isOver) await turn.pass();
  }
}

/** Lines that are turned into another form in one step: a few milliseconds. */
const AT_ONCE = 10_000;

/** `map` in steps. */
export function* mapped<T>(
  lines: readonly string[],
  form: (line: string) => T,
): Steps<readonly T[]> {
  const done: T[] = [];
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    for (const line of lines.slice(from, from + AT_ONCE)) done.push(form(line));
    yield;
  }
  return done;
}
