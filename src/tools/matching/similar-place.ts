import { type Indent, indentBetween } from './indentation.ts';
import { collapsed, similarity } from './line-forms.ts';
import { type Steps, mapped } from '../../domain/lifetime/steps.ts';

/** Lines with text that an edit must have to be fitted by similarity: fewer say too little. */
const FEWEST_LINES = 3;
/** Average likeness of all lines of the place. */
const ALIKE = 0.9;
/** Likeness that a second place must not have: it would be a guess. */
const ALSO_ALIKE = 0.8;
/** Likeness of each single line. */
const LINE_ALIKE = 0.5;

/** Characters compared before the search is given up: it would take too long. */
const MOST_COMPARED = 4_000_000;
/** Characters compared, and lines looked at, in one step: a few milliseconds. */
const STEP = 100_000;

export interface SimilarPlace {
  /** 0-based. */
  readonly line: number;
  readonly indent: Indent;
  /** Wanted lines that are there but for blanks. */
  readonly equal: readonly boolean[];
}

/** Places that are nearly what was wanted; several: nobody can tell which one was meant. */
export function* similarPlaces(
  text: readonly string[],
  wanted: readonly string[],
): Steps<readonly SimilarPlace[]> {
  const sought = yield* mapped(wanted, collapsed);
  const filled = sought.filter((line) => line !== '').length;
  if (filled < FEWEST_LINES) return [];
  const present = yield* mapped(text, collapsed);
  const found: { readonly place: SimilarPlace; readonly score: number }[] = [];
  const budget = { left: MOST_COMPARED };
  let pause = budget.left - STEP;
  for (let at = 0; at + sought.length <= present.length; at += 1) {
    if (budget.left < pause || at % STEP === STEP - 1) {
      pause = budget.left - STEP;
      yield;
    }
    const score = scoreAt(present, sought, at, filled, budget);
    // Another place may exist then: it would be a guess.
    if (budget.left < 0) return [];
    if (score < ALSO_ALIKE) continue;
    const equal = sought.map((line, offset) => line === present[at + offset]);
    const indent = indentBetween(
      wanted,
      text.slice(at, at + wanted.length),
      (index) => equal[index] === true,
    );
    if (indent !== undefined) found.push({ place: { line: at, indent, equal }, score });
  }
  return found.some(({ score }) => score >= ALIKE) ? found.map(({ place }) => place) : [];
}

/** Average likeness of the lines with text; 0 when one of them is another line altogether. */
function scoreAt(
  present: readonly string[],
  sought: readonly string[],
  at: number,
  filled: number,
  budget: { left: number },
): number {
  let score = 0;
  let missing = 0;
  for (const [offset, line] of sought.entries()) {
    const there = present[at + offset] ?? '';
    if (line === '' && there !== '') return 0;
    if (line === '') continue;
    budget.left -= 1 + Math.min(line.length, there.length);
    if (budget.left < 0) return 0;
    const alike = similarity(line, there);
    if (alike < LINE_ALIKE) return 0;
    score += alike;
    missing += 1 - alike;
    if (missing > filled * (1 - ALSO_ALIKE)) return 0;
  }
  return score / filled;
}
