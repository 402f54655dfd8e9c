import type { Replacement } from '../../core/merge/replacement.ts';
import { type Fit, type LineEdit, type Place, findingLines } from './find-lines.ts';
import { findDifferences } from './kept-characters.ts';
import { LineIndex } from '../../core/merge/line-index.ts';
import { type NearestMatch, nearestMatch } from './nearest-match.ts';
import { apart, placesOf } from './places.ts';
import type { Steps } from '../../domain/lifetime/steps.ts';

/** Finds the text that an edit replaces, exact to tolerant, never guessing; LF only. */

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

export type Match =
  | {
      readonly kind: 'found';
      /** In order, not overlapping. */
      readonly replacements: readonly Replacement[];
      /** 1-based, where each place begins. */
      readonly lines: readonly number[];
      readonly how: Fit;
      /** Names of the differences from `old_string` at the places of a loose fit: "quotes". */
      readonly kinds: readonly string[];
    }
  /** 1-based lines where it would fit. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[]; readonly how: Fit }
  /** More places than are looked at. */
  | { readonly kind: 'too many' }
  | { readonly kind: 'none'; readonly nearest?: NearestMatch | undefined };

/** Places of one edit that are looked at: with more, what is kept of them fills the memory. */
export const MOST_PLACES = 200_000;

/** Places of a loose fit whose differences are named. */
const MAX_NAMED_PLACES = 100;

/** Places that are worked on in one step: a few milliseconds. */
const STEP = 20_000;

/** An edit's places. `text` and edit use LF; an empty `old_string` fits nowhere. */
export function* findingEdit(text: string, edit: Edit): Steps<Match> {
  if (edit.old_string === '') return { kind: 'none' };
  const exact = yield* exactPlaces(text, edit);
  if (exact.length > MOST_PLACES) return { kind: 'too many' };
  if (exact.length > 1 && edit.replace_all !== true)
    return { kind: 'ambiguous', lines: yield* linesAt(text, exact), how: 'exact' };
  if (exact.length > 0) return yield* exactly(text, edit, exact);
  const index = new LineIndex(text);
  const lines = lineEditOf(edit);
  yield;
  const { places, how } = yield* findingLines(index, lines, edit.replace_all === true);
  // Lines that are similar are not replaced in bulk.
  const all = edit.replace_all === true && how !== 'similar';
  if (places.length > 0) return yield* decide(text, { ...edit, replace_all: all }, places, how);
  const nearest = yield* nearestMatch(index.lines, lines.wanted);
  return { kind: 'none', nearest };
}

function* decide(text: string, edit: Edit, places: readonly Place[], how: Fit): Steps<Match> {
  const starts = (some: readonly Place[]) =>
    linesAt(
      text,
      some.map(({ from }) => from),
    );
  if (places.length > 1 && edit.replace_all !== true)
    return { kind: 'ambiguous', lines: yield* starts(places), how };
  const chosen = withoutOverlaps(places);
  const replacements: Replacement[] = [];
  for (const place of chosen) for (const one of yield* place.replace()) replacements.push(one);
  const shown = chosen.slice(0, MAX_NAMED_PLACES);
  const kinds = how === 'loose' ? new Set(shown.flatMap((place) => place.kinds)) : [];
  return { kind: 'found', replacements, lines: yield* starts(chosen), how, kinds: [...kinds] };
}

/** The first of places that overlap; places that do are still several when one has to be meant. */
function withoutOverlaps(places: readonly Place[]): readonly Place[] {
  let end = 0;
  return places.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}

function* exactPlaces(text: string, { old_string, replace_all }: Edit): Steps<readonly number[]> {
  const all = yield* placesOf(text, old_string, MOST_PLACES + 1);
  yield;
  return replace_all === true ? apart(all, old_string.length) : all;
}

function* exactly(
  text: string,
  { old_string, new_string }: Edit,
  places: readonly number[],
): Steps<Match> {
  const replacements: Replacement[] = [];
  // Line ends that stay keep their kind.
  const differences = old_string.includes('\n')
    ? findDifferences(old_string, new_string)
    : [{ from: 0, to: old_string.length, text: new_string }];
  for (const at of places) {
    for (const { from, to, text: made } of differences) {
      replacements.push({ from: at + from, to: at + to, text: made });
      if (replacements.length % STEP === 0) yield;
    }
  }
  const lines = yield* linesAt(text, places);
  return { kind: 'found', replacements, lines, how: 'exact', kinds: [] };
}

/** The edit by whole lines. */
function lineEditOf({ old_string, new_string }: Edit): LineEdit {
  const whole = old_string.endsWith('\n');
  const after =
    whole && new_string === '' ? [] : whole ? linesOf(new_string) : new_string.split('\n');
  return { wanted: linesOf(old_string), after };
}

/** The lines of a text that is given with or without the end of its last line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** 1-based; the places are in order, so that the text is gone through once. */
function* linesAt(text: string, places: readonly number[]): Steps<readonly number[]> {
  let line = 1;
  let next = text.indexOf('\n');
  let looked = 0;
  const lines: number[] = [];
  for (const from of places) {
    while (next !== -1 && next < from) {
      line += 1;
      next = text.indexOf('\n', next + 1);
      looked += 1;
      if (looked % STEP === 0) yield;
    }
    lines.push(line);
    if (lines.length % STEP === 0) yield;
  }
  return lines;
}

/** 1-based. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1))
    line += 1;
  return line;
}
