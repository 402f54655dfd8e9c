/** The effect of a link. All others are shown as text. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly url: string; readonly shown?: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number }
  | null;

/** A file with a line: `src/a.ts:12`, `src/a.ts#L12`, `src/a.ts:12:5`, `src/a.ts:12-20`. */
const LINE = /^(?<path>.*?)(?::(?<line>\d+)(?::\d+|-\d+)?|#L(?<mark>\d+)(?:-L?\d+)?)?$/u;
const SCHEME = /^[a-z][a-z\d+.-]*:/iu;
/** Control characters and spaces can hide a scheme from a check. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const HIDDEN = /[\u0000-\u0020\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/u;

/**
 * Decides what a link in an answer may do: open a web page or a file of the workspace, by a
 * request to the host. Commands, scripts, data and every other scheme do nothing.
 */
export function linkTarget(href: string): LinkTarget {
  const trimmed = href.trim();
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  if (/^https?:\/\//iu.test(trimmed))
    return HIDDEN.test(trimmed) ? null : { kind: 'web', url: trimmed };
  const decoded = decode(trimmed);
  const drive = /^[a-z]:[\\/]/iu.test(decoded);
  const location = drive || !SCHEME.test(decoded) ? decoded : fileWithLine(decoded);
  if (
    location === undefined ||
    decoded.startsWith('//') ||
    HIDDEN.test(location.replaceAll(' ', ''))
  ) {
    return null;
  }
  return fileTarget(location);
}

/** `name.ts:12` looks like a scheme; what follows the colon decides. */
function fileWithLine(text: string): string | undefined {
  return /^[\w.-]+\.\w+:\d+(?::\d+|-\d+)?$/u.test(text) ? text : undefined;
}

/** A path with an optional line. */
export function fileTarget(text: string): LinkTarget {
  const groups = LINE.exec(text)?.groups;
  const path = groups?.['path'] ?? text;
  const line = groups?.['line'] ?? groups?.['mark'];
  if (path === '') return null;
  return line === undefined ? { kind: 'file', path } : { kind: 'file', path, line: Number(line) };
}

/** True when inline code could be the name of a file: cheap, and right often enough to ask further. */
export function looksLikeFile(code: string): boolean {
  return code.length <= 300 && /[./\\]/u.test(code) && !/\s/u.test(code);
}

/** True for what the host is asked about: the shape of a path, with an extension or a folder, that leads nowhere out. */
export function mayBeFile(path: string): boolean {
  return (
    /^[^\s"'`<>|*?{}=,;$%&#!^]+$/u.test(path) &&
    (/[^\\/][\\/]|\.[a-z][\w-]{0,15}$/iu.test(path) || path.startsWith('.')) &&
    !/^[\\/]{2}|^[a-z][a-z\d+.-]+:/iu.test(path) &&
    !path.split(/[\\/]/u).includes('..')
  );
}

/**
 * Finds the file that inline code names, if a tool has named it in this session (A9): it becomes a link. A name without
 * a folder counts when it is the end of such a path.
 */
export function knownFile(code: string, files: ReadonlySet<string>): LinkTarget {
  if (!looksLikeFile(code)) return null;
  const target = fileTarget(code);
  if (target?.kind !== 'file') return null;
  const path = target.path.replace(/^\.\//u, '');
  if (files.has(path)) return { ...target, path };
  if (path.includes('/')) {
    for (const file of files) if (file.endsWith(`/${path}`)) return { ...target, path: file };
  }
  return null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
