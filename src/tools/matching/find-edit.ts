import type { Replacement } from '../../core/merge/replacement.ts';
import { findingLines } from './find-lines.ts';
import type { Fit, LineEdit, Place } from './find-lines.ts';
import { LineIndex } from '../../core/merge/line-index.ts';
import { nearestMatch } from './nearest-match.ts';
import type { NearestMatch } from './nearest-match.ts';
import { apart, placesOf } from './places.ts';
import { inOneGo } from './steps.ts';
import type { Steps } from './steps.ts';

/**
 * Finds the text that an edit wants to replace, from exact to tolerant, and never guesses between
 * several places. Works on text with LF line ends; `LineEnds` puts the file's own back.
 */

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
    }
  /** 1-based lines where it would fit. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[]; readonly how: Fit }
  | { readonly kind: 'none'; readonly nearest?: NearestMatch };

/** `text` and the edit use LF. An empty `old_string` fits nowhere. */
export function findEdit(text: string, edit: Edit): Match {
  return inOneGo(findingEdit(text, edit));
}

/** The same in steps. */
export function* findingEdit(text: string, edit: Edit): Steps<Match> {
  if (edit.old_string === '') return { kind: 'none' };
  const exact = yield* exactPlaces(text, edit);
  if (exact.length > 0) return decide(text, edit, exact, 'exact');
  const index = new LineIndex(text);
  const lines = lineEditOf(edit);
  yield;
  const { places, how } = yield* findingLines(index, lines, edit.replace_all === true);
  // Lines that are similar are not replaced in bulk.
  const all = edit.replace_all === true && how !== 'similar';
  if (places.length > 0) return decide(text, { ...edit, replace_all: all }, places, how);
  const nearest = yield* nearestMatch(index.lines, lines.wanted);
  return { kind: 'none', ...(nearest === undefined ? {} : { nearest }) };
}

function decide(text: string, edit: Edit, places: readonly Place[], how: Fit): Match {
  if (places.length > 1 && edit.replace_all !== true)
    return { kind: 'ambiguous', lines: linesAt(text, places), how };
  const chosen = withoutOverlaps(places);
  return {
    kind: 'found',
    replacements: chosen.flatMap(({ replacements }) => replacements),
    lines: linesAt(text, chosen),
    how,
  };
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

function* exactPlaces(
  text: string,
  { old_string, new_string, replace_all }: Edit,
): Steps<readonly Place[]> {
  const { length } = old_string;
  const all = yield* placesOf(text, old_string);
  const wanted = replace_all === true ? apart(all, length) : all;
  return wanted.map((from) => {
    const to = from + length;
    return { from, to, replacements: [{ from, to, text: new_string }] };
  });
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
function linesAt(text: string, places: readonly Place[]): readonly number[] {
  let line = 1;
  let next = text.indexOf('\n');
  return places.map(({ from }) => {
    while (next !== -1 && next < from) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  });
}

/** 1-based. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1))
    line += 1;
  return line;
}
