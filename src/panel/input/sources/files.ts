import type { SeenFiles } from '../../../core/context/prompt/environment.ts';
import type { FileSystem } from '../../../core/ports/files/file-system.ts';
import type { Search } from '../../../core/ports/files/search.ts';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import type { ResultContent } from '../../../domain/message.ts';
import { nameOf, parentOf, pathBelow } from '../../../domain/paths.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import { shownPath } from '../../../tools/workspace-path.ts';
import {
  mentionRow,
  tokensOfCharacters,
  type InputSource,
  type MentionSource,
  type ScoredRow,
} from '../source.ts';
import { placeMention, placeOf } from './file-place.ts';

export interface FileSourceParts {
  readonly files: Pick<FileSystem, 'stat'>;
  readonly search: Pick<Search, 'files'>;
  readonly roots: () => readonly string[];
  readonly seen: () => SeenFiles;
  readonly reader: Pick<MentionReader, 'byTool'>;
  /** Shows a file; `line` is 1-based. */
  readonly openFile: (link: { readonly path: string; readonly line?: number }) => Promise<void>;
}

/** Files that a search gives; folders are found among what they lie in. */
const MOST_FOUND = 60;
/** Rows of files, and of folders. */
const MOST_FILES = 25;
const MOST_FOLDERS = 6;
/** An open file is meant more often than another. */
const OPEN = 150;
/** Worth of rows before anything was typed. */
const FIRST = 2000;
/** Characters of a line of code, about. */
const LINE = 40;
/** Lines of the tree that a folder is sent as, at most (`tools/searching/list-files.ts`). */
const TREE_LINES = 400;
/** Characters before a name in it, about. */
const INDENT = 4;
/** Tokens of a picture. */
const PICTURE = 1600;
/** Bytes from which on a file is not read whole. */
const LONG = 200_000;

/** Files and folders, by letters of their names as in quick open; ignored ones are left out. */
export class FileSource implements MentionSource {
  readonly id = 'file';
  readonly trigger = '@';
  readonly #parts: FileSourceParts;

  constructor(parts: FileSourceParts) {
    this.#parts = parts;
  }

  async search(query: string, signal: AbortSignal): Promise<readonly ScoredRow[]> {
    const roots = this.#parts.roots();
    const open = this.#parts.seen().editors.map(({ file }) => file);
    if (query === '')
      return [...new Set(open)].map((path, index) =>
        mentionRow(placeMention({ path }, roots), FIRST - index),
      );
    const files = new Set(await this.#find(query, signal));
    for (const path of open) files.add(path);
    const worthOf = (path: string): number | undefined =>
      this.#worth(query, path, open.includes(path));
    return [
      ...pickBest([...files], MOST_FILES, worthOf).map(({ path, worth }) =>
        mentionRow(placeMention({ path }, roots), worth),
      ),
      ...this.#bestFolders(query, files, MOST_FOLDERS),
    ];
  }

  /** Folders alone, for `@folder:`. */
  get folders(): InputSource {
    return {
      id: 'folder',
      trigger: '@',
      isOnlyByKind: true,
      search: async (query, signal) =>
        this.#bestFolders(query, new Set(await this.#find(query, signal)), MOST_FILES),
    };
  }

  /** Finds files by letters of their names; in no order while nothing is typed. */
  async #find(query: string, signal: AbortSignal): Promise<readonly string[]> {
    const request = { pattern: query, limit: MOST_FOUND, ordered: query !== '' };
    const found = await Promise.all(
      this.#parts
        .roots()
        .map(async (root) => this.#parts.search.files({ root, ...request }, signal)),
    );
    return found.flatMap(({ paths }) => paths);
  }

  /** The folders that files lie in; while nothing is typed, those with short paths. */
  #bestFolders(query: string, files: ReadonlySet<string>, most: number): readonly ScoredRow[] {
    const roots = this.#parts.roots();
    return pickBest(foldersOf(files, roots), most, (path) =>
      query === '' ? -path.length : this.#worth(query, path, false),
    ).map(({ path, worth }) =>
      mentionRow(placeMention({ path }, roots, { icon: 'folder' }), worth),
    );
  }

  async take(ref: string, sessionId: string): Promise<readonly ResultContent[]> {
    const { files, reader } = this.#parts;
    const { path, lines } = placeOf(ref);
    const isFolder = (await files.stat(path).catch(() => undefined))?.type === 'directory';
    const range = lines === undefined ? {} : { start_line: lines.from, end_line: lines.to };
    return isFolder
      ? reader.byTool('list_files', { path }, sessionId)
      : reader.byTool('read_file', { files: [{ path, ...range }] }, sessionId);
  }

  async weigh(ref: string): Promise<number | null> {
    const { path, lines } = placeOf(ref);
    const stat = await this.#parts.files.stat(path).catch(() => undefined);
    if (stat?.type === 'directory') return this.#weighFolder(path);
    if (stat?.type !== 'file') return null;
    if (lines !== undefined)
      return tokensOfCharacters(Math.min(stat.size, (lines.to - lines.from + 1) * LINE));
    if (/\.(?:png|jpe?g|gif|webp)$/iu.test(path)) return PICTURE;
    return tokensOfCharacters(Math.min(stat.size, LONG));
  }

  async #weighFolder(root: string): Promise<number> {
    const request = { root, pattern: '**/*', limit: TREE_LINES, ordered: false };
    const { paths } = await this.#parts.search.files(request, new AbortController().signal);
    return tokensOfCharacters(
      paths.reduce((sum, path) => sum + INDENT + nameOf(path).length, root.length),
    );
  }

  async open(ref: string): Promise<void> {
    const { path, lines } = placeOf(ref);
    await this.#parts.openFile(lines === undefined ? { path } : { path, line: lines.from });
  }

  /** The name before the path, as in quick open. */
  #worth(query: string, path: string, isOpen: boolean): number | undefined {
    const below = shownPath(path, this.#parts.roots());
    const worth = fuzzyScore(query, below.split('\\').join('/'));
    return worth === undefined ? undefined : worth + (isOpen ? OPEN : 0);
  }
}

interface RankedPath {
  readonly path: string;
  readonly worth: number;
}

/** Picks the paths that are worth most; a shorter one comes first among equals. */
function pickBest(
  paths: readonly string[],
  most: number,
  worthOf: (path: string) => number | undefined,
): readonly RankedPath[] {
  return paths
    .flatMap((path) => {
      const worth = worthOf(path);
      return worth === undefined ? [] : [{ path, worth }];
    })
    .toSorted((a, b) => b.worth - a.worth || a.path.length - b.path.length)
    .slice(0, most);
}

/** Folders that files lie in, below the workspace's own. */
function foldersOf(files: ReadonlySet<string>, roots: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    const root = roots.find((one) => pathBelow(one, file) !== undefined);
    if (root === undefined) continue;
    for (
      let folder = parentOf(file);
      folder !== root && folder.length > root.length && !folders.has(folder);
      folder = parentOf(folder)
    )
      folders.add(folder);
  }
  return [...folders];
}
