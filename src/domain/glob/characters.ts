import type { CharacterSet, Piece } from './automaton.ts';

const SLASH = 47;

export const ANY: CharacterSet = () => true;
/** Every character of a name. */
export const NO_SLASH: CharacterSet = (code) => code !== SLASH;

/** Code points that count as the same without regard to case, the code point itself included. */
function casesOf(code: number): readonly number[] {
  const text = String.fromCodePoint(code);
  const cases = [text, text.toLowerCase(), text.toUpperCase(), text.toUpperCase().toLowerCase()];
  return cases.flatMap((one) => {
    const first = one.codePointAt(0) ?? 0;
    return one.length === (first > 0xff_ff ? 2 : 1) ? [first] : [];
  });
}

export function character(code: number, anyCase: boolean): Piece {
  const wanted = casesOf(code);
  const of: CharacterSet =
    anyCase && wanted.some((one) => one !== code)
      ? (given) =>
          wanted.includes(given) ||
          (given > 127 && casesOf(given).some((one) => wanted.includes(one)))
      : (given) => given === code;
  return { kind: 'one', of };
}

export function characters(text: string, anyCase: boolean): Piece[] {
  return Array.from(text, (one) => character(one.codePointAt(0) ?? 0, anyCase));
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /^\p{Alphabetic}$/u,
  digit: /^[0-9]$/u,
  alnum: /^[\p{Alphabetic}\p{Nd}]$/u,
  upper: /^\p{Lu}$/u,
  lower: /^\p{Ll}$/u,
  space: /^\s$/u,
  blank: /^[ \t]$/u,
  punct: /^[!-/:-@[-`{-~]$/u,
  xdigit: /^[0-9A-Fa-f]$/u,
  word: /^\w$/u,
};

/** A set in brackets, and where it ends; `undefined`: the bracket at `start` is not closed. */
export function bracketAt(
  pattern: string,
  start: number,
  anyCase: boolean,
): { readonly of: CharacterSet; readonly end: number } | undefined {
  let at = start + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at += 1;
  const first = at;
  const ranges: (readonly [from: number, to: number])[] = [];
  const classes: RegExp[] = [];
  while (at < pattern.length) {
    if (pattern[at] === ']' && at > first) {
      return { of: setOf(ranges, classes, negated, anyCase), end: at + 1 };
    }
    const named = /^\[:(?<name>[a-z]{1,6}):\]/u.exec(pattern.slice(at, at + 12))?.groups?.['name'];
    const known = named === undefined ? undefined : CLASSES[named];
    if (named !== undefined && known !== undefined) {
      classes.push(known);
      at += named.length + 4;
      continue;
    }
    const from = letterAt(pattern, at);
    at = from.end;
    if (pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']') {
      const to = letterAt(pattern, at + 1);
      at = to.end;
      ranges.push([from.code, to.code]);
    } else ranges.push([from.code, from.code]);
  }
  return undefined;
}

function letterAt(pattern: string, at: number): { readonly code: number; readonly end: number } {
  const start = pattern[at] === '\\' && at + 1 < pattern.length ? at + 1 : at;
  const code = pattern.codePointAt(start) ?? 0;
  return { code, end: start + (code > 0xff_ff ? 2 : 1) };
}

function setOf(
  ranges: readonly (readonly [from: number, to: number])[],
  classes: readonly RegExp[],
  negated: boolean,
  anyCase: boolean,
): CharacterSet {
  const has = (code: number): boolean =>
    ranges.some(([from, to]) => code >= from && code <= to) ||
    classes.some((known) => known.test(String.fromCodePoint(code)));
  const among = anyCase ? (code: number): boolean => casesOf(code).some(has) : has;
  return (code) => code !== SLASH && among(code) !== negated;
}
