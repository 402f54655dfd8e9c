/** Long work in steps: between two of them whoever drives it may let others have their turn. */
export type Steps<T> = Generator<undefined, T>;

/** Does all steps without a pause. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
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
