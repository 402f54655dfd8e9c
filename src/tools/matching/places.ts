import { type Steps, mapped } from '../../domain/lifetime/steps.ts';

/** Places compared in one step: a few milliseconds. */
const STEP = 50_000;

/** A text shorter than this is looked for by the platform: it cannot take long, whatever both are. */
const SHORT = 64;

/** The first places where a text stands in another, overlapping ones included; in time linear in both. */
export function* placesOf(text: string, sought: string, most: number): Steps<readonly number[]> {
  if (sought === '') return [];
  if (sought.length >= SHORT)
    return yield* found(
      text.length,
      sought.length,
      (at) => text.charCodeAt(at),
      (at) => sought.charCodeAt(at),
      most,
    );
  const places: number[] = [];
  for (
    let at = text.indexOf(sought);
    at !== -1 && places.length < most;
    at = text.indexOf(sought, at + 1)
  ) {
    places.push(at);
    if (places.length % STEP === 0) yield;
  }
  return places;
}

/** The same for lines. */
export function* linePlacesOf(
  text: readonly string[],
  sought: readonly string[],
): Steps<readonly number[]> {
  // Long lines that begin alike are compared once, not at each place.
  const numbers = new Map<string, number>();
  for (const [index, line] of sought.entries()) {
    numbers.set(line, index);
    if (index % STEP === STEP - 1) yield;
  }
  const numberOf = (line: string): number => numbers.get(line) ?? -1;
  const ofText = yield* mapped(text, numberOf);
  const ofSought = yield* mapped(sought, numberOf);
  return yield* found(
    text.length,
    sought.length,
    (at) => ofText[at],
    (at) => ofSought[at],
  );
}

/** Knuth, Morris and Pratt: after a difference nothing that was compared is compared again. */
function* found(
  length: number,
  sought: number,
  at: (index: number) => number | undefined,
  of: (index: number) => number | undefined,
  most = Infinity,
): Steps<readonly number[]> {
  if (sought === 0 || sought > length) return [];
  const border = new Int32Array(sought);
  for (let index = 1, same = 0; index < sought; index += 1) {
    while (same > 0 && of(index) !== of(same)) same = border[same - 1] ?? 0;
    if (of(index) === of(same)) same += 1;
    border[index] = same;
    if (index % STEP === 0) yield;
  }
  const places: number[] = [];
  for (let index = 0, same = 0; index < length; index += 1) {
    if (index % STEP === STEP - 1) yield;
    while (same > 0 && at(index) !== of(same)) same = border[same - 1] ?? 0;
    if (at(index) === of(same)) same += 1;
    if (same < sought) continue;
    places.push(index - sought + 1);
    if (places.length === most) break;
    same = border[same - 1] ?? 0;
  }
  return places;
}

/** The first of places that overlap, each of which is `length` long. */
export function apart(places: readonly number[], length: number): readonly number[] {
  let end = 0;
  return places.filter((at) => {
    if (at < end) return false;
    end = at + length;
    return true;
  });
}
