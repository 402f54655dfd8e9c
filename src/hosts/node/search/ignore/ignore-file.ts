import { type Glob, glob } from '../../../../domain/glob/glob.ts';

export interface Said {
  readonly ignored: boolean;
  readonly unignored: boolean;
  /** The rule that decided, as it is written. */
  readonly pattern?: string;
}

interface Rule {
  readonly pattern: string;
  readonly glob: Glob;
  readonly negated: boolean;
  readonly onlyFolders: boolean;
  /** Fits a name, wherever it is. */
  readonly onlyName: boolean;
}

const NOTHING: Said = { ignored: false, unignored: false };

/** Folders whose answer is remembered. */
const MOST_FOLDERS = 10_000;

/** Lines of a file of rules: each is matched with each path, and 16,000 blocked the host for 11 s. */
export const MAX_RULE_LINES = 1000;

/** Wildcards of the rules that apply to a folder: each may be tried at each letter of a path. */
export const MAX_WILDCARDS = 100;

/** A name, or the end of names after a `*`: compared as text, however many there are. */
const SIMPLE_RULE = /^!?(?:\*\*\/)?\*?[\w .@~+-]+\/?$/u;

/** Returns the number of wildcards (`*`, `?`, `[`; `**` is one) in rules, without rules such as `*.log` or `build/`. */
export function countWildcards(text: string): number {
  return text
    .split(/\r?\n/u)
    .filter((line) => !line.startsWith('#') && !SIMPLE_RULE.test(line))
    .reduce((sum, line) => sum + (line.match(/\*+|[?[]/gu)?.length ?? 0), 0);
}

/** Compares text instead of a pattern of one name or one ending. */
function createTextGlob(pattern: string, anyCase: boolean): Glob {
  const fold = (text: string): string => (anyCase ? text.toUpperCase().toLowerCase() : text);
  const wanted = fold(pattern.replace('*', ''));
  const isEnding = pattern.startsWith('*');
  const lastLetter = (wanted.codePointAt(wanted.length - 1) ?? 0) | 32;
  const matches = (text: string): boolean => {
    if (isEnding ? text.length < wanted.length : text.length !== wanted.length) return false;
    // Most names end with another letter: then there is nothing to fold.
    const last = text.charCodeAt(text.length - 1);
    if (last < 128 && (last | 32) !== lastLetter) return false;
    return fold(isEnding ? text.slice(-wanted.length) : text) === wanted;
  };
  const matchesBefore = (text: string): readonly number[] => {
    const at = text.indexOf('/');
    return matches(text.slice(0, at)) ? [at] : [];
  };
  return { matches, matchesBefore };
}

/** The rules of one file in the syntax of .gitignore, for paths below its folder. */
export class IgnoreFile {
  readonly #rules: readonly Rule[];
  readonly #folders = new Map<string, Said>();

  /** @param anyCase without regard to case */
  constructor(text: string, anyCase: boolean) {
    this.#rules = text
      .replace(/^\ufeff/u, '')
      .split(/\r?\n/u)
      .flatMap((line) => ruleOf(line, anyCase) ?? []);
  }

  /** The last fitting rule decides, not below a left-out folder; a folder's `path` ends with `/`. */
  test(path: string): Said {
    const isFolder = path.endsWith('/');
    const name = isFolder ? path.slice(0, -1) : path;
    if (name === '' || name.startsWith('../') || name === '..') return NOTHING;
    const cut = name.lastIndexOf('/');
    const parent = cut === -1 ? NOTHING : this.#folder(name.slice(0, cut));
    return parent.ignored ? parent : this.#said(name, isFolder);
  }

  #folder(name: string): Said {
    const known = this.#folders.get(name);
    if (known !== undefined) return known;
    const names = name.split('/');
    const deciding = this.#decidingAbove(`${name}/`, names);
    if (this.#folders.size >= MOST_FOLDERS) this.#folders.clear();
    let said = NOTHING;
    let end = -1;
    for (const [index, part] of names.entries()) {
      end += part.length + 1;
      if (!said.ignored) said = saidBy(deciding[index]);
      this.#folders.set(name.slice(0, end), said);
    }
    return said;
  }

  /** The rule that decides about each folder on the way; each rule runs once, however deep that is. */
  #decidingAbove(path: string, names: readonly string[]): readonly (Rule | undefined)[] {
    const ends = new Map<number, number>();
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      ends.set(at, ends.size);
    const deciding: (Rule | undefined)[] = names.map(() => undefined);
    for (const rule of this.#rules) {
      const fitting = rule.onlyName
        ? names.flatMap((name, index) => (rule.glob.matches(name) ? [index] : []))
        : rule.glob.matchesBefore(path).map((at) => ends.get(at) ?? 0);
      for (const index of fitting) deciding[index] = rule;
    }
    return deciding;
  }

  #said(name: string, isFolder: boolean): Said {
    const last = name.slice(name.lastIndexOf('/') + 1);
    const rule = this.#rules.findLast(
      (one) => (isFolder || !one.onlyFolders) && one.glob.matches(one.onlyName ? last : name),
    );
    return saidBy(rule);
  }
}

function saidBy(rule: Rule | undefined): Said {
  if (rule === undefined) return NOTHING;
  return { ignored: !rule.negated, unignored: rule.negated, pattern: rule.pattern };
}

function ruleOf(line: string, anyCase: boolean): Rule | undefined {
  const pattern = withoutBlanks(line);
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const negated = pattern.startsWith('!');
  const said = negated ? pattern.slice(1) : pattern;
  const onlyFolders = said.endsWith('/');
  const plain = onlyFolders ? said.slice(0, -1) : said;
  if (plain === '' || endsOpen(plain)) return undefined;
  // In front of one name, `**/` changes nothing.
  const below = plain.replace(/^(?:\*\*\/)+(?=[^/]+$)/u, '');
  const anchored = below.startsWith('/') ? below.slice(1) : below;
  if (anchored === '') return undefined;
  return {
    pattern,
    negated,
    onlyFolders,
    onlyName: !below.includes('/'),
    glob: SIMPLE_RULE.test(anchored)
      ? createTextGlob(anchored, anyCase)
      : glob(anchored, { anyCase, ofGit: true }),
  };
}

/** Blanks at the end do not count, unless the last one has a backslash before it. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  const isKept = end < line.length && backslashesBefore(line, end) % 2 === 1;
  return line.slice(0, isKept ? end + 1 : end);
}

/** A backslash at the end means nothing, and git lets such a rule fit nothing. */
const endsOpen = (pattern: string): boolean => backslashesBefore(pattern, pattern.length) % 2 === 1;

function backslashesBefore(text: string, end: number): number {
  let count = 0;
  while (text[end - 1 - count] === '\\') count += 1;
  return count;
}
