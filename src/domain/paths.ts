/**
 * Paths as lists of components, without a file system: POSIX paths, and Windows paths with a drive
 * (`c:/a`) or a share (`//server/share/a`). Separators are `/` and, in Windows paths, `\`.
 */

interface Parsed {
  /** `/`, `c:/`, `//server/share/`; empty for a relative path. */
  readonly root: string;
  readonly components: readonly string[];
  readonly windows: boolean;
}

const DRIVE = /^[a-z]:[\\/]/iu;
const SHARE = /^(?:\\\\|\/\/)[^\\/]+[\\/][^\\/]+(?:[\\/]|$)/u;

export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || DRIVE.test(path) || SHARE.test(path);
}

/** Without `.`, `..` and doubled separators. */
export function normalizePath(path: string): string {
  const { root, components, windows } = parse(path);
  const joined = components.join(windows ? '\\' : '/');
  return root === '' ? joined || '.' : `${root}${joined}`;
}

/** `path` itself when it is absolute, else below `base`. */
export function resolvePath(base: string, path: string): string {
  return isAbsolutePath(path) ? normalizePath(path) : normalizePath(`${base}/${path}`);
}

export function parentOf(path: string): string {
  const { root, components, windows } = parse(path);
  return `${root}${components.slice(0, -1).join(windows ? '\\' : '/')}`;
}

export function nameOf(path: string): string {
  return parse(path).components.at(-1) ?? '';
}

/** The components below the root, for comparisons. */
export function componentsOf(path: string): readonly string[] {
  return parse(path).components;
}

/** The path below `root` by components; empty for the root, `undefined` outside. */
export function pathBelow(root: string, path: string): string | undefined {
  const [outer, inner] = [parse(root), parse(path)];
  const fold = (text: string): string =>
    outer.windows || inner.windows ? text.toLowerCase() : text;
  if (fold(outer.root) !== fold(inner.root)) return undefined;
  const below = outer.components.every(
    (part, index) => fold(part) === fold(inner.components[index] ?? ''),
  );
  return below && inner.components.length >= outer.components.length
    ? inner.components.slice(outer.components.length).join('/')
    : undefined;
}

/** A path's new place when `from`, which is it or above it, becomes `to`. */
export function movedTo(path: string, from: string, to: string): string {
  const below = pathBelow(from, path) ?? '';
  return below === '' ? to : resolvePath(to, below);
}

function parse(path: string): Parsed {
  const drive = DRIVE.exec(path)?.[0];
  const share = drive === undefined ? SHARE.exec(path)?.[0] : undefined;
  const windows = drive !== undefined || (share !== undefined && path.startsWith('\\\\'));
  const prefix = drive ?? (windows ? share : undefined) ?? (path.startsWith('/') ? '/' : '');
  const rest = path.slice(prefix.length);
  const root = windows ? `${prefix.replaceAll('/', '\\').replace(/\\$/u, '')}\\` : prefix;
  const components: string[] = [];
  for (const part of rest.split(windows ? /[\\/]/u : '/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') components.push(part);
    else if (components.length > 0 && components.at(-1) !== '..') components.pop();
    else if (root === '') components.push('..');
  }
  return { root, components, windows };
}
