import type { Replacement } from '../core/merge/replacement.ts';

/**
 * Finds the text that an edit wants to replace, from exact to tolerant, and never guesses between
 * several places. Works on text with LF line ends; `line-ends.ts` puts the file's own back.
 */

export interface Edit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

export type Match =
  | {
      readonly kind: 'found';
      readonly replacements: readonly Replacement[];
      readonly how: 'exact' | 'whitespace' | 'indentation';
    }
  /** 1-based lines where it would fit. */
  | { readonly kind: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly kind: 'none'; readonly nearest?: NearestMatch };

export interface NearestMatch {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** `text` and the edit use LF. An empty `old_string` fits nowhere. */
export function findEdit(text: string, edit: Edit): Match {
  if (edit.old_string === '') return { kind: 'none' };
  const exact = exactMatches(text, edit);
  if (exact.length > 0) return decide(text, edit, exact, 'exact');
  const lines = new LineIndex(text);
  const wanted = wantedLines(edit.old_string);
  if (wanted.some((line) => line.trim() !== '')) {
    const tolerant = windows(lines, wanted, typographic);
    if (tolerant.length > 0)
      return decide(
        text,
        edit,
        tolerant.map((at) => lines.replacement(at, wanted.length, edit)),
        'whitespace',
      );
    const shifted = windows(lines, wanted, (line) => typographic(line).trimStart()).filter((at) =>
      sameShape(lines.lines, at, wanted),
    );
    if (shifted.length > 0) {
      const moved = shifted.map((at) =>
        lines.replacement(at, wanted.length, {
          ...edit,
          new_string: reindented(edit, lines.lines[at] ?? ''),
        }),
      );
      return decide(text, edit, moved, 'indentation');
    }
  }
  const nearest = nearestMatch(lines.lines, wanted);
  return { kind: 'none', ...(nearest === undefined ? {} : { nearest }) };
}

function decide(
  text: string,
  edit: Edit,
  places: readonly Replacement[],
  how: 'exact' | 'whitespace' | 'indentation',
): Match {
  if (places.length > 1 && edit.replace_all !== true) {
    return { kind: 'ambiguous', lines: places.map(({ from }) => lineAt(text, from)) };
  }
  return { kind: 'found', replacements: withoutOverlaps(places), how };
}

/** The first of places that overlap; places that do are still several when one has to be meant. */
function withoutOverlaps(places: readonly Replacement[]): Replacement[] {
  let end = 0;
  return places.filter(({ from, to }) => {
    if (from < end) return false;
    end = to;
    return true;
  });
}

function exactMatches(text: string, { old_string, new_string }: Edit): Replacement[] {
  const places: Replacement[] = [];
  for (let at = text.indexOf(old_string); at !== -1; at = text.indexOf(old_string, at + 1)) {
    places.push({ from: at, to: at + old_string.length, text: new_string });
  }
  return places;
}

/** The lines of a text and where they begin. */
class LineIndex {
  readonly lines: readonly string[];
  readonly #starts: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.lines = text.split('\n');
    this.#length = text.length;
    let at = 0;
    for (const line of this.lines) {
      this.#starts.push(at);
      at += line.length + 1;
    }
  }

  /** Whole lines `at` to `at + count`, for an edit that was given with or without its last line end. */
  replacement(at: number, count: number, { old_string, new_string }: Edit): Replacement {
    const from = this.#starts[at] ?? this.#length;
    const next = this.#starts[at + count] ?? this.#length + 1;
    const withEnd = old_string.endsWith('\n');
    // The whole lines go; a new text that lacks the end that the old one had would join two lines.
    const to = Math.min(withEnd ? next : next - 1, this.#length);
    return { from, to, text: new_string };
  }
}

function wantedLines(old: string): readonly string[] {
  const lines = old.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** Where the wanted lines stand in the text, compared after `form`; places may overlap. */
function windows(
  index: LineIndex,
  wanted: readonly string[],
  form: (line: string) => string,
): number[] {
  const text = index.lines.map(form);
  const sought = wanted.map(form);
  const found: number[] = [];
  for (let at = 0; at + sought.length <= text.length; at += 1) {
    if (!sought.every((line, offset) => line === text[at + offset])) continue;
    found.push(at);
  }
  return found;
}

/** Without blanks at the end, and with plain quotes, dashes and blanks: models write those for others. */
function typographic(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/gu, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/gu, '"')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/[\u00a0\u2002-\u200a\u202f\u3000]/gu, ' ')
    .trimEnd();
}

function indentOf(line: string): string {
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}

/** True when the lines differ from the wanted ones by the same indentation throughout. */
function sameShape(text: readonly string[], at: number, wanted: readonly string[]): boolean {
  const pairs = wanted
    .map(
      (line, offset) =>
        [indentOf(line), indentOf(text[at + offset] ?? ''), line.trim() !== ''] as const,
    )
    .filter(([, , filled]) => filled);
  const [first] = pairs;
  if (first === undefined) return false;
  const [wantedFirst, textFirst] = first;
  return pairs.every(
    ([inWanted, inText]) =>
      inWanted.startsWith(wantedFirst) &&
      inText.startsWith(textFirst) &&
      inWanted.slice(wantedFirst.length) === inText.slice(textFirst.length),
  );
}

/** The new text with the indentation that the place has. */
function reindented({ old_string, new_string }: Edit, firstLine: string): string {
  const given = indentOf(old_string.split('\n').find((line) => line.trim() !== '') ?? '');
  const there = indentOf(firstLine);
  return new_string
    .split('\n')
    .map((line) =>
      line.trim() === '' ? line : line.startsWith(given) ? there + line.slice(given.length) : line,
    )
    .join('\n');
}

/** Lines compared when the nearest place is looked for; beyond it the search would take too long. */
const MOST_COMPARISONS = 2_000_000;

/** The place with the most of the wanted lines; nothing when fewer than a third are there. */
function nearestMatch(
  text: readonly string[],
  wanted: readonly string[],
): NearestMatch | undefined {
  const sought = wanted.map((line) => line.trim());
  const trimmed = text.map((line) => line.trim());
  let best = { at: -1, score: 0 };
  const places = Math.min(text.length, Math.floor(MOST_COMPARISONS / Math.max(1, sought.length)));
  for (let at = 0; at < places; at += 1) {
    let score = 0;
    for (const [offset, line] of sought.entries())
      score += line === '' ? 0 : similarity(line, trimmed[at + offset] ?? '');
    if (score > best.score) best = { at, score };
  }
  const filled = sought.filter((line) => line !== '').length;
  if (best.at === -1 || best.score < filled * 0.34) return undefined;
  return {
    line: best.at + 1,
    text: text.slice(best.at, best.at + Math.min(wanted.length, 20)).join('\n'),
  };
}

/** 0 to 1; cheap: the same beginning and end, then shared words. */
function similarity(left: string, right: string): number {
  if (left === right) return 1;
  if (left === '' || right === '') return 0;
  const longest = Math.max(left.length, right.length);
  let begin = 0;
  while (begin < left.length && left[begin] === right[begin]) begin += 1;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - begin &&
    left.at(-1 - end) === right.at(-1 - end)
  )
    end += 1;
  return (begin + end) / longest;
}

/** 1-based. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1))
    line += 1;
  return line;
}
