import { type Piece, Automaton } from './automaton.ts';
import { ANY, bracketAt, character, characters, NO_SLASH } from './characters.ts';

/** The longest pattern, in characters; longer ones fit nothing. */
export const LONGEST_PATTERN = 1024;

export interface GlobOptions {
  /** Without regard to case. */
  readonly anyCase?: boolean;
  /** Braces have no meaning, and `a/**` does not fit `a`: as in a .gitignore. */
  readonly ofGit?: boolean;
}

export interface Glob {
  readonly matches: (text: string) => boolean;
  /** The places of the slashes before which the text, cut off there, matches. */
  readonly matchesBefore: (text: string) => readonly number[];
}

const NOTHING: Glob = { matches: () => false, matchesBefore: () => [] };

/**
 * The one matcher of all patterns for paths, whoever wrote them. `*` and `?` stay within a name, `**` as a whole name
 * stands for any number of folders, `[a-z]`, `[!a-z]`, `[[:digit:]]` are one character, `{a,b}` and `{1..3}` one of
 * several, `\` takes the next character's meaning away. Names that begin with a dot are matched like any other.
 * Takes at most pattern × text steps, whatever both are.
 */
export function glob(pattern: string, options: GlobOptions = {}): Glob {
  if (pattern.length > LONGEST_PATTERN) return NOTHING;
  return new Automaton(new Parser(pattern, options).pieces());
}

/** Why a pattern does not mean what it seems to, as the end of a sentence. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN)
    return `is longer than ${LONGEST_PATTERN} characters, and fits nothing`;
  const plain = pattern.replaceAll(/\\./gsu, '');
  if (/[!@+*?]\(/u.test(plain))
    return 'has a group in parentheses, which has no meaning here: write {a,b}';
  if (plain.startsWith('!')) return 'begins with "!", which has no meaning here';
  for (let at = plain.indexOf('['); at !== -1; at = plain.indexOf('[', at)) {
    const bracket = bracketAt(plain, at, false);
    if (bracket === undefined) return 'has a "[" that is not closed';
    at = bracket.end;
  }
  return undefined;
}

/** A text in which only `*` has a meaning: any characters, slashes and line ends included. */
export function wildcard(pattern: string, { anyCase = false }: GlobOptions = {}): Glob {
  if (pattern.length > LONGEST_PATTERN) return NOTHING;
  const pieces = pattern
    .split('*')
    .flatMap((text, index): Piece[] => [
      ...(index === 0 ? [] : [{ kind: 'many', of: ANY } as const]),
      ...characters(text, anyCase),
    ]);
  return new Automaton(pieces);
}

/** Numbers of a range in braces; more are no range. */
const LONGEST_RANGE = 100;

class Parser {
  readonly #pattern: string;
  readonly #anyCase: boolean;
  readonly #ofGit: boolean;
  #at = 0;
  /** The brace that belongs to each, found once for all. */
  readonly #closing: ReadonlyMap<number, number>;

  constructor(pattern: string, { anyCase = false, ofGit = false }: GlobOptions) {
    this.#pattern = pattern;
    this.#anyCase = anyCase;
    this.#ofGit = ofGit;
    this.#closing = ofGit ? new Map() : bracesOf(pattern);
  }

  pieces(): readonly Piece[] {
    return this.#until(this.#pattern.length, true);
  }

  /** @param opens whether a name begins here */
  #until(end: number, opens: boolean): Piece[] {
    const pieces: Piece[] = [];
    let isStart = opens;
    while (this.#at < end) {
      const letter = this.#pattern[this.#at] ?? '';
      if (letter === '*') pieces.push(...this.#stars(end, isStart));
      else if (letter === '/' && this.#isFoldersToTheEnd(end)) pieces.push(...this.#everythingIn());
      else pieces.push(...this.#one(letter, isStart));
      isStart = this.#pattern[this.#at - 1] === '/';
    }
    return pieces;
  }

  #one(letter: string, isStart: boolean): Piece[] {
    if (letter === '?') {
      this.#at += 1;
      return [{ kind: 'one', of: NO_SLASH }];
    }
    if (letter === '[') {
      const bracket = bracketAt(this.#pattern, this.#at, this.#anyCase);
      if (bracket !== undefined) {
        this.#at = bracket.end;
        return [{ kind: 'one', of: bracket.of }];
      }
    }
    const close = letter === '{' ? this.#closing.get(this.#at) : undefined;
    if (close !== undefined) return [this.#braces(close, isStart)];
    if (letter === '\\' && this.#at + 1 < this.#pattern.length) this.#at += 1;
    const code = this.#pattern.codePointAt(this.#at) ?? 0;
    this.#at += code > 0xff_ff ? 2 : 1;
    return [character(code, this.#anyCase)];
  }

  #stars(end: number, isStart: boolean): Piece[] {
    const from = this.#at;
    while (this.#at < end && this.#pattern[this.#at] === '*') this.#at += 1;
    const next = this.#at < end ? this.#pattern[this.#at] : undefined;
    const isWhole = isStart && (next === undefined || next === '/');
    const several = this.#at - from > 1;
    if (!isWhole) return [{ kind: 'many', of: NO_SLASH }];
    if (!several) {
      // A name on its own has at least one character.
      return [
        { kind: 'one', of: NO_SLASH },
        { kind: 'many', of: NO_SLASH },
      ];
    }
    if (next === undefined) return [{ kind: 'many', of: ANY }];
    this.#at += 1;
    const folders: Piece[] = [{ kind: 'many', of: ANY }, character(47, false)];
    return [{ kind: 'either', options: [[], folders] }];
  }

  #isFoldersToTheEnd(end: number): boolean {
    const rest = this.#pattern.slice(this.#at, Math.min(end, this.#at + 4));
    return rest === '/**' && this.#at + 3 === end;
  }

  /** The meaning of a final `/**`. */
  #everythingIn(): Piece[] {
    this.#at += 3;
    const within: Piece[] = [
      character(47, false),
      { kind: 'one', of: ANY },
      { kind: 'many', of: ANY },
    ];
    if (this.#ofGit) return within;
    return [{ kind: 'either', options: [[], [character(47, false)], within] }];
  }

  #braces(close: number, isStart: boolean): Piece {
    const inside = this.#pattern.slice(this.#at + 1, close);
    const range = rangeOf(inside);
    if (range !== undefined) {
      this.#at = close + 1;
      return { kind: 'either', options: range.map((one) => characters(one, this.#anyCase)) };
    }
    const options: Piece[][] = [];
    this.#at += 1;
    for (;;) {
      const end = this.#optionEnd(close);
      options.push(this.#until(end, isStart));
      this.#at = end + 1;
      if (end === close) return { kind: 'either', options };
    }
  }

  /** The end of the option that begins here: a comma, or the closing brace. */
  #optionEnd(close: number): number {
    for (let at = this.#at; at < close; at += 1) {
      const letter = this.#pattern[at];
      if (letter === ',') return at;
      if (letter === '\\') at += 1;
      else if (letter === '{') at = this.#closing.get(at) ?? at;
    }
    return close;
  }
}

/** Each opening brace that has a closing one, and a comma or a range between. */
function bracesOf(pattern: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: { readonly at: number; several: boolean }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at];
    const innermost = open.at(-1);
    if (letter === '\\') at += 1;
    else if (letter === '{') open.push({ at, several: false });
    else if (letter === ',' && innermost !== undefined) innermost.several = true;
    else if (letter === '}' && innermost !== undefined) {
      open.pop();
      const isRange = rangeOf(pattern.slice(innermost.at + 1, at)) !== undefined;
      if (innermost.several || isRange) pairs.set(innermost.at, at);
    }
  }
  return pairs;
}

/** `1..3`, `a..c`. */
function rangeOf(inside: string): readonly string[] | undefined {
  if (inside.length > 12) return undefined;
  const numbers = /^(-?\d{1,5})\.\.(-?\d{1,5})$/u.exec(inside);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])$/u.exec(inside);
  const [, first = '', last = ''] = numbers ?? letters ?? [];
  if (first === '') return undefined;
  const valueOf = (text: string): number =>
    numbers === null ? (text.codePointAt(0) ?? 0) : Number(text);
  const [from, to] = [valueOf(first), valueOf(last)].toSorted((left, right) => left - right);
  if (from === undefined || to === undefined || to - from >= LONGEST_RANGE) return undefined;
  return Array.from({ length: to - from + 1 }, (_, index) =>
    numbers === null ? String.fromCodePoint(from + index) : String(from + index),
  );
}
