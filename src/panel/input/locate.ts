import type { FileSystem } from '../../core/ports/files/file-system.ts';
import type { Mention } from '../../domain/mention.ts';
import { isAbsolutePath, normalizePath, resolvePath } from '../../domain/paths.ts';
import { type FilePlace, placeMention } from './sources/file-place.ts';

export interface LocateParts {
  readonly files: Pick<FileSystem, 'stat'>;
  readonly roots: () => readonly string[];
  /** The place of code that was copied from an editor; `undefined`: it is from somewhere else. */
  readonly placeOfCode: (code: string) => FilePlace | undefined;
}

/** Mentions of files that were dropped or pasted; what is no file here is left out. */
export async function locateFiles(
  files: readonly string[],
  code: string | null,
  parts: LocateParts,
): Promise<readonly Mention[]> {
  const roots = parts.roots();
  const copied = code === null ? undefined : parts.placeOfCode(code);
  const places = await Promise.all(files.map(async (text) => placeIn(text, roots, parts)));
  const all: readonly (Located | undefined)[] = [copied, ...places];
  return all.flatMap((place) => {
    if (place === undefined) return [];
    const more = place.isFolder === true ? { icon: 'folder' } : {};
    return [{ ...placeMention(place, roots, more), tokens: null }];
  });
}

type Located = FilePlace & { readonly isFolder?: boolean };

async function placeIn(
  text: string,
  roots: readonly string[],
  { files }: LocateParts,
): Promise<Located | undefined> {
  for (const { path, lines } of readings(text.trim())) {
    const meant = isAbsolutePath(path)
      ? [normalizePath(path)]
      : roots.map((root) => resolvePath(root, path));
    for (const file of meant) {
      const type = (await files.stat(file).catch(() => undefined))?.type;
      if (type === 'directory') return { path: file, isFolder: true };
      if (type === 'file') return { path: file, lines };
    }
  }
  return undefined;
}

/** Ways to read a text as a place: the whole as a path, or with lines at its end. */
function readings(text: string): readonly FilePlace[] {
  if (/^(?:file|vscode-remote):\/\//iu.test(text)) {
    if (!URL.canParse(text)) return [];
    const { pathname, hash } = new URL(text);
    const path = pathOf(pathname);
    return path === undefined
      ? []
      : [{ path, lines: linesOf(/^#L?(?<from>\d+)(?:\D+(?<to>\d+))?/u.exec(hash)) }];
  }
  if (text === '' || /[\n\r\0]/u.test(text) || /^[a-z][a-z+.-]+:\/\//iu.test(text)) return [];
  const plain = text.replace(/^(["'`])(?<inner>.*)\1$/u, '$<inner>');
  const ranged = /^(?<path>.+?):(?<from>\d+)(?:[-:](?<to>\d+))?$/u.exec(plain);
  const path = ranged?.groups?.['path'];
  return [{ path: plain }, ...(path === undefined ? [] : [{ path, lines: linesOf(ranged) }])];
}

function pathOf(pathname: string): string | undefined {
  try {
    // Windows: `/c:/work`.
    return decodeURIComponent(pathname).replace(/^\/(?=[a-z]:)/iu, '');
  } catch {
    return undefined;
  }
}

function linesOf(found: RegExpExecArray | null): FilePlace['lines'] {
  const { from, to } = found?.groups ?? {};
  if (from === undefined) return undefined;
  const [first, last] = [Number(from), Number(to ?? from)];
  return { from: Math.max(1, first), to: last < first ? Math.max(1, first) : last };
}
