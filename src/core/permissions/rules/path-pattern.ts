import { getBracketReadings } from '../../../domain/glob/bracket-names.ts';
import { type Glob, glob, globProblem } from '../../../domain/glob/glob.ts';
import { isAbsolutePath, nameOf, normalizePath, pathBelow } from '../../../domain/paths.ts';

export interface PatternPlace {
  /** Workspace folders, absolute and real. */
  readonly roots: readonly string[];
  /** The user's home folder, for `~/`; undefined: such a pattern fits nothing that it allows, and every home that it denies. */
  readonly home?: string;
}

/**
 * `exact`: for what a rule allows. `wide`: for denials and questions: without regard to case, and
 * with all that is below a folder.
 */
export type Width = 'exact' | 'wide';

/** True when a path pattern of a rule fits an absolute path. */
export function pathFits(
  pattern: string,
  path: string,
  { roots, home }: PatternPlace,
  width: Width,
): boolean {
  // Elsewhere a backslash takes the next character's meaning away.
  const windows = /^(?:[a-z]:\\|\\\\)/iu.test(pattern);
  const plain = (windows ? slashes(pattern) : pattern).replace(/^\.\//u, '');
  if (plain.startsWith('~/')) {
    if (home === undefined)
      return width === 'wide' && globFits(`**/${plain.slice(2)}`, path, width);
    return globFits(joined(home, plain.slice(2)), slashes(path), width);
  }
  if (isAbsolutePath(plain)) return globFits(plain, slashes(normalizePath(path)), width);
  if (!plain.replace(/\/$/u, '').includes('/') && !plain.includes('**'))
    return nameFits(plain, path, roots, width);
  return roots.some((root) => {
    const below = pathBelow(root, path);
    return below !== undefined && globFits(plain, below, width);
  });
}

/** A pattern without a slash is a name, wherever in the workspace it stands; to deny, wherever at all. */
function nameFits(pattern: string, path: string, roots: readonly string[], width: Width): boolean {
  if (width === 'wide') return globFits(`**/${pattern}`, slashes(path).replace(/^\//u, ''), width);
  return (
    !pattern.endsWith('/') &&
    roots.some((root) => pathBelow(root, path) !== undefined) &&
    globFits(pattern, nameOf(path), width)
  );
}

function globFits(pattern: string, path: string, width: Width): boolean {
  const wide = width === 'wide';
  // A pattern that is not understood allows nothing, and denies everything.
  if (globProblem(pattern) !== undefined) return wide;
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const globs = wide
    ? [whole, `${whole.replace(/\/\*\*$/u, '')}/**`, whole.replace(/\/\*\*$/u, '')].flatMap(
        // A set of characters, and a name such as `[id]`.
        getBracketReadings,
      )
    : [whole];
  return globs.some((one) => prepared(one, wide).matches(path));
}

/** Patterns that were used lately; each is matched with many paths. */
const known = new Map<string, Glob>();
const MOST_KNOWN = 500;

function prepared(pattern: string, anyCase: boolean): Glob {
  const key = `${anyCase ? 'i' : '='}${pattern}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const made = glob(pattern, { anyCase });
  known.set(key, made);
  return made;
}

function joined(home: string, below: string): string {
  return `${escaped(slashes(home).replace(/\/$/u, ''))}/${below}`;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** A path as a pattern that fits only itself. */
export function escaped(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]|^\s|\s$/gu, String.raw`\$&`);
}
