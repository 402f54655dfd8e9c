import { lineChanges } from '../../core/merge/line-changes.ts';
import type { LineChange } from '../../core/merge/line-changes.ts';
import type { Replacement } from '../../core/merge/replacement.ts';
import { indentBetween } from './indentation.ts';
import type { Indent } from './indentation.ts';
import { collapsed, typographic, unindented } from './line-forms.ts';
import { LineIndex } from './line-index.ts';
import { nearestMatch } from './nearest-match.ts';
import type { NearestMatch } from './nearest-match.ts';
import { similarPlaces } from './similar-place.ts';

/**
 * Finds the text that an edit wants to replace, from exact to tolerant, and never guesses between
 * several places. Works on text with LF line ends; `LineEnds` puts the file's own back.
 */

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/** How a place was found: as it is, but for blanks and typography, or by similar lines. */
export type Fit = 'exact' | 'whitespace' | 'similar';

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

/** A place where an edit fits, and what it does there. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly replacements: readonly Replacement[];
}

/** `text` and the edit use LF. An empty `old_string` fits nowhere. */
export function findEdit(text: string, edit: Edit): Match {
  if (edit.old_string === '') return { kind: 'none' };
  const exact = exactPlaces(text, edit);
  if (exact.length > 0) return decide(text, edit, exact, 'exact');
  const index = new LineIndex(text);
  const wanted = linesOf(edit.old_string);
  if (wanted.some((line) => line.trim() !== '')) {
    for (const rung of RUNGS) {
      const places = rung(index, wanted, edit);
      if (places.length > 0) return decide(text, edit, places, 'whitespace');
    }
    const similar = fittedBySimilarity(index, wanted, edit);
    if (similar.length > 0)
      return decide(text, { ...edit, replace_all: false }, similar, 'similar');
  }
  const nearest = nearestMatch(index.lines, wanted);
  return { kind: 'none', ...(nearest === undefined ? {} : { nearest }) };
}

function decide(text: string, edit: Edit, places: readonly Place[], how: Fit): Match {
  if (places.length > 1 && edit.replace_all !== true)
    return { kind: 'ambiguous', lines: places.map(({ from }) => lineAt(text, from)), how };
  const chosen = withoutOverlaps(places);
  return {
    kind: 'found',
    replacements: chosen.flatMap(({ replacements }) => replacements),
    lines: chosen.map(({ from }) => lineAt(text, from)),
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

function exactPlaces(text: string, { old_string, new_string }: Edit): readonly Place[] {
  const places: Place[] = [];
  for (
    let from = text.indexOf(old_string);
    from !== -1;
    from = text.indexOf(old_string, from + 1)
  ) {
    const to = from + old_string.length;
    places.push({ from, to, replacements: [{ from, to, text: new_string }] });
  }
  return places;
}

type Rung = (index: LineIndex, wanted: readonly string[], edit: Edit) => readonly Place[];

/** From strict to tolerant; the first that fits anywhere decides. */
const RUNGS: readonly Rung[] = [
  (index, wanted, edit) =>
    windows(index, wanted, typographic).map((at) => placeAt(index, at, edit, (line) => line)),
  indented(unindented),
  indented(collapsed),
];

/** Lines that are the same after `form`, and indented alike. */
function indented(form: (line: string) => string): Rung {
  return (index, wanted, edit) =>
    windows(index, wanted, form).flatMap((at) => {
      const indent = indentBetween(wanted, index.lines.slice(at, at + wanted.length));
      return indent === undefined ? [] : [placeAt(index, at, edit, indent)];
    });
}

/** Where the wanted lines stand in the text, compared after `form`; places may overlap. */
function windows(
  { lines }: LineIndex,
  wanted: readonly string[],
  form: (line: string) => string,
): readonly number[] {
  const text = lines.map(form);
  const sought = wanted.map(form);
  const found: number[] = [];
  for (let at = 0; at + sought.length <= text.length; at += 1) {
    if (sought.every((line, offset) => line === text[at + offset])) found.push(at);
  }
  return found;
}

/**
 * Does to the lines that are there what the edit does to the lines that were given: those that it
 * leaves alone stay as they are in the file, to the last blank.
 */
function placeAt(index: LineIndex, at: number, edit: Edit, indent: Indent): Place {
  const wanted = linesOf(edit.old_string);
  const replacements = changesOf(edit).map(({ from, to, lines }) =>
    index.replacement({ from: at + from, to: at + to, lines: lines.map(indent) }),
  );
  return { from: index.start(at), to: index.start(at + wanted.length), replacements };
}

/** What the edit does to its own lines. */
function changesOf({ old_string, new_string }: Edit): readonly LineChange[] {
  const whole = old_string.endsWith('\n');
  const after =
    whole && new_string === '' ? [] : whole ? linesOf(new_string) : new_string.split('\n');
  return lineChanges(linesOf(old_string), after);
}

/**
 * Places that differ a little from what was given. The edit is made there only where what it changes
 * is as it was given: what the model did not know of is kept.
 */
function fittedBySimilarity(
  index: LineIndex,
  wanted: readonly string[],
  edit: Edit,
): readonly Place[] {
  const changes = changesOf(edit);
  const places = similarPlaces(index.lines, wanted);
  const known = places.every(({ equal }) =>
    changes.every(({ from, to }) =>
      from < to
        ? equal.slice(from, to).every(Boolean)
        : equal[from - 1] === true || equal[from] === true,
    ),
  );
  if (!known) return [];
  return places.map(({ line, indent }) => placeAt(index, line, edit, indent));
}

/** The lines of a text that is given with or without the end of its last line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** 1-based. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1))
    line += 1;
  return line;
}
