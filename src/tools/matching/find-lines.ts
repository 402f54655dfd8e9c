import { type LineChange, lineChanges } from '../../core/merge/line-changes.ts';
import type { Replacement } from '../../core/merge/replacement.ts';
import { type Indent, indentBetween } from './indentation.ts';
import { findDifferences, pairLines, toPresent } from './kept-characters.ts';
import { collapsed, nameDifferences, typographic, unindented } from './line-forms.ts';
import type { LineIndex } from '../../core/merge/line-index.ts';
import { apart, linePlacesOf } from './places.ts';
import { similarPlaces } from './similar-place.ts';
import { type Steps, inOneGo, mapped } from '../../domain/lifetime/steps.ts';

/** The kind of fit: exact, exact except for blanks and typography, or by similar lines. */
export type Fit = 'exact' | 'loose' | 'similar';

/** Whole lines that are to become others; lines that both have are left alone. */
export interface LineEdit {
  readonly wanted: readonly string[];
  readonly after: readonly string[];
}

/** A place where an edit fits, and what it does there. By characters. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** Computes the replacements: most places of an edit that fits several are not used. */
  replace(): Steps<readonly Replacement[]>;
  /** Names of the differences between the wanted lines and those of the file: "quotes". */
  readonly kinds: readonly string[];
}

export interface LinePlace extends Place {
  /** 0-based. */
  readonly line: number;
}

interface FoundLines {
  readonly places: readonly LinePlace[];
  readonly how: Fit;
}

/** Every place on the strictest rung that has one; `all`: without overlapping ones. */
export function findLines(index: LineIndex, edit: LineEdit, all = false): FoundLines {
  return inOneGo(findingLines(index, edit, all));
}

/** The same in steps. */
export function* findingLines(index: LineIndex, edit: LineEdit, all: boolean): Steps<FoundLines> {
  const rungs = edit.wanted.some((line) => line.trim() !== '') ? RUNGS : [];
  const changes = lineChanges(edit.wanted, edit.after);
  yield;
  const exact = yield* windows(index, edit.wanted, (line) => line, all);
  if (exact.length > 0)
    return { places: exact.map((at) => placeAt(index, at, edit, changes, asItIs)), how: 'exact' };
  for (const rung of rungs) {
    const places = yield* rung(index, edit, changes, all);
    if (places.length > 0) return { places, how: 'loose' };
  }
  return { places: yield* fittedBySimilarity(index, edit, changes), how: 'similar' };
}

type Rung = (
  index: LineIndex,
  edit: LineEdit,
  changes: readonly LineChange[],
  all: boolean,
) => Steps<readonly LinePlace[]>;

const asItIs: Indent = (line) => line;

/** From strict to tolerant; the first that fits anywhere decides. */
const RUNGS: readonly Rung[] = [
  function* typographically(index, edit, changes, all) {
    const places = yield* windows(index, edit.wanted, typographic, all);
    return places.map((at) => placeAt(index, at, edit, changes, asItIs));
  },
  indented(unindented),
  indented(collapsed),
];

/** Lines that are the same after `form`, and indented alike. */
function indented(form: (line: string) => string): Rung {
  return function* places(index, edit, changes, all) {
    const found = yield* windows(index, edit.wanted, form, all);
    return found.flatMap((at) => {
      const present = index.lines.slice(at, at + edit.wanted.length);
      const indent = indentBetween(edit.wanted, present);
      return indent === undefined ? [] : [placeAt(index, at, edit, changes, indent)];
    });
  };
}

/** Lines that are compared once more at the places that were found, before the rest of them is left out. */
const MOST_COMPARED = 100_000;

/** Places of the wanted lines, compared after `form`; of overlapping ones not all. */
function* windows(
  { lines }: LineIndex,
  wanted: readonly string[],
  form: (line: string) => string,
  all: boolean,
): Steps<readonly number[]> {
  const present = yield* mapped(lines, form);
  const sought = yield* mapped(wanted, form);
  const places = yield* linePlacesOf(present, sought);
  yield;
  if (all) return apart(places, wanted.length);
  return places.slice(0, Math.max(2, Math.floor(MOST_COMPARED / wanted.length)));
}

/**
 * Makes the edit's change in the lines that are there. What the old and the new lines share keeps
 * the characters of the file.
 */
function placeAt(
  index: LineIndex,
  line: number,
  { wanted }: LineEdit,
  changes: readonly LineChange[],
  indent: Indent,
): LinePlace {
  const there = index.lines.slice(line, line + wanted.length);
  return {
    line,
    from: index.start(line),
    to: index.start(line + wanted.length),
    *replace() {
      const replacements: Replacement[] = [];
      for (const { from, to, lines } of changes)
        for (const pair of pairLines(wanted.slice(from, to), lines)) {
          yield;
          const [first, end] = [from + pair.from, from + pair.to];
          const made = pair.lines.map(indent);
          const whole = index.replacement({ from: line + first, to: line + end, lines: made });
          const given = wanted.slice(first, end).map(indent).join('\n');
          const kept =
            first < end && made.length > 0
              ? toPresent(
                  findDifferences(given, whole.text),
                  given,
                  there.slice(first, end).join('\n'),
                )
              : undefined;
          if (kept === undefined) replacements.push(whole);
          for (const one of kept ?? [])
            replacements.push({ ...one, from: whole.from + one.from, to: whole.from + one.to });
        }
      return replacements;
    },
    get kinds() {
      return nameDifferences(wanted, there);
    },
  };
}

/** Places that differ a little; the edit is made only where what it changes is as it was given. */
function* fittedBySimilarity(
  index: LineIndex,
  edit: LineEdit,
  changes: readonly LineChange[],
): Steps<readonly LinePlace[]> {
  const places = yield* similarPlaces(index.lines, edit.wanted);
  const known = places.every(({ equal }) =>
    changes.every(({ from, to }) =>
      from < to
        ? equal.slice(from, to).every(Boolean)
        : equal[from - 1] === true || equal[from] === true,
    ),
  );
  return known ? places.map(({ line, indent }) => placeAt(index, line, edit, changes, indent)) : [];
}
