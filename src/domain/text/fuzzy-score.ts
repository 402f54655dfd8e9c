/** Worth of a scattered letter: at a word's start, behind its neighbour, as a capital. */
const AT_WORD = 8;
const CONSECUTIVE = 6;
const SAME_CASE = 1;
const LETTER = 1;

/** Scattered letters never count more than a part of the path that is there as it was written. */
const MOST_IN_NAME = 590;
const MOST_IN_PATH = 390;

/**
 * How well a path fits what was typed, as in quick open; `undefined`: its letters are missing.
 * Names count more than folders, words and their starts more than single letters; parts come in any
 * order.
 * @param below the path with `/` between its parts
 */
export function fuzzyScore(pattern: string, below: string): number | undefined {
  let total = 0;
  const lower = below.toLowerCase();
  // Some letters become two in lower case; then positions would not fit.
  const text = lower.length === below.length ? lower : below;
  for (const part of partsOf(pattern)) {
    const score = partScore(part, below, text);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

interface PatternPart {
  readonly lower: string;
  readonly typed: string;
}

let lastPattern = '';
let lastParts: readonly PatternPart[] = [];

/** The pattern is the same for every file of a search. */
function partsOf(pattern: string): readonly PatternPart[] {
  if (pattern !== lastPattern) {
    lastPattern = pattern;
    lastParts = pattern
      .replaceAll('\\', '/')
      .split(/\s+/u)
      .filter((part) => part !== '')
      .map((typed) => ({ typed, lower: typed.toLowerCase() }));
  }
  return lastParts;
}

function partScore(part: PatternPart, below: string, text: string): number | undefined {
  const { lower } = part;
  const nameAt = text.lastIndexOf('/') + 1;
  const inName = text.indexOf(lower, nameAt);
  if (inName !== -1) {
    const rest = text.length - nameAt - lower.length;
    const exact = rest === 0 ? 400 : text[inName + lower.length] === '.' ? 100 : 0;
    return 1000 + exact + (inName === nameAt ? 200 : isWordStart(below, inName) ? 100 : 0);
  }
  const inPath = text.indexOf(lower);
  if (inPath !== -1) return 600 + (isWordStart(below, inPath) ? 50 : 0);
  const name = scattered(part, below, text, nameAt);
  if (name !== undefined) return Math.min(MOST_IN_NAME, 400 + name);
  const whole = scattered(part, below, text, 0);
  return whole === undefined ? undefined : Math.min(MOST_IN_PATH, whole);
}

/** The best way to find the letters in their order; strewn ones mean nothing. */
function scattered(
  { lower, typed }: PatternPart,
  below: string,
  text: string,
  from: number,
): number | undefined {
  if (!occurs(lower, text, from)) return undefined;
  const width = text.length - from;
  // The best score of the letters so far with the last of them at a place, and at it or before.
  let ending = new Int32Array(width).fill(-1);
  let before = new Int32Array(width + 1);
  for (let letter = 0; letter < lower.length; letter += 1) {
    const nextEnding = new Int32Array(width).fill(-1);
    const nextBefore = new Int32Array(width + 1).fill(-1);
    for (let place = 0; place < width; place += 1) {
      const at = from + place;
      nextBefore[place + 1] = nextBefore[place] ?? -1;
      if (text[at] !== lower[letter]) continue;
      const own =
        LETTER +
        (below[at] === typed[letter] ? SAME_CASE : 0) +
        (isWordStart(below, at) ? AT_WORD : 0);
      const joined = place > 0 && letter > 0 ? (ending[place - 1] ?? -1) : -1;
      const apart = before[place] ?? -1;
      const best = Math.max(
        joined < 0 ? -1 : joined + own + CONSECUTIVE,
        apart < 0 ? -1 : apart + own,
      );
      if (best < 0) continue;
      nextEnding[place] = best;
      nextBefore[place + 1] = Math.max(nextBefore[place + 1] ?? -1, best);
    }
    ending = nextEnding;
    before = nextBefore;
  }
  const score = before[width] ?? -1;
  return score >= lower.length * 4 ? score : undefined;
}

function occurs(part: string, text: string, from: number): boolean {
  let at = from;
  for (const letter of part) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function isWordStart(below: string, at: number): boolean {
  if (at === 0) return true;
  const before = below.charCodeAt(at - 1);
  // / . _ - and space
  if (before === 47 || before === 46 || before === 95 || before === 45 || before === 32)
    return true;
  const here = below.charCodeAt(at);
  const isUpper = here >= 65 && here <= 90;
  return isUpper && ((before >= 97 && before <= 122) || (before >= 48 && before <= 57));
}
