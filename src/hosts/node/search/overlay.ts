import { existsSync } from 'node:fs';
import path from 'node:path';
import type {
  FileSearchRequest,
  LineCounts,
  TextMatch,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports/files/search.ts';
import { EXCLUDED_FOLDERS, isExcludedName } from './ignore/excluded.ts';
import { belowRoot, compare } from './file-names.ts';
import { IgnoreRules } from './ignore/ignore-rules.ts';
import { LineThread } from './line-thread.ts';
import type { LineAnswer } from './line-worker.ts';
import { matcherOf } from './searched-lines.ts';
import type { SearchRules } from './search-rules.ts';

/** Files that stand in for those of the disk in one search, and no others. */
export class OverlaySearch {
  readonly #texts: readonly (readonly [file: string, text: string])[];
  /** Files on disk that do not count. */
  readonly hidden: ReadonlySet<string>;
  /** True when the place of the search is on disk at all. */
  readonly isOnDisk: boolean;

  private constructor(
    texts: readonly (readonly [string, string])[],
    hidden: ReadonlySet<string>,
    isOnDisk: boolean,
  ) {
    this.#texts = texts;
    this.hidden = hidden;
    this.isOnDisk = isOnDisk;
  }

  /** Keeps what the rules of a search leave of the texts. */
  static async open(
    { root, overlay }: Pick<TextSearchRequest | FileSearchRequest, 'root' | 'overlay'>,
    rules: SearchRules,
    globs: Pick<TextSearchRequest, 'include' | 'exclude'> = {},
  ): Promise<OverlaySearch | undefined> {
    const below = [...(overlay ?? [])].filter(([file]) => isIn(root, file));
    if (below.length === 0) return undefined;
    const texts: (readonly [string, string])[] = [];
    const isWanted = await wanted(root, rules, globs);
    for (const [file, text] of below)
      if (text !== undefined && (await isWanted(file))) texts.push([file, text]);
    return new OverlaySearch(texts, new Set(below.map(([file]) => file)), existsSync(root));
  }

  /** Before those of the disk. */
  async *before(files: AsyncIterable<readonly string[]>): AsyncGenerator<readonly string[]> {
    yield this.#texts.map(([file]) => file).toSorted(compare);
    if (this.isOnDisk) yield* files;
  }

  async withText(
    request: TextSearchRequest,
    found: TextSearchResult,
    signal: AbortSignal,
  ): Promise<TextSearchResult> {
    const own = await this.#look(request, request.context, signal);
    const all = [...found.matches, ...own.flatMap(({ matches }) => matches)].toSorted(byPlace);
    return {
      matches: all.slice(0, request.limit),
      complete: found.complete && all.length <= request.limit,
    };
  }

  async withCounts(
    request: TextSearchRequest,
    found: LineCounts,
    signal: AbortSignal,
  ): Promise<LineCounts> {
    const own = await this.#look(request, undefined, signal);
    const files = [...found.files, ...own.map(({ path: file, lines }) => ({ path: file, lines }))];
    const all = files.toSorted((one, other) => compare(one.path, other.path));
    return {
      files: all.slice(0, request.limit),
      complete: found.complete && all.length <= request.limit,
    };
  }

  async #look(
    request: TextSearchRequest,
    context: number | undefined,
    signal: AbortSignal,
  ): Promise<LineAnswer> {
    const thread = new LineThread(request, context, signal);
    try {
      return await thread.find(this.#texts.map(([file, text]) => ({ path: file, text })));
    } finally {
      await thread.close();
    }
  }
}

function byPlace(one: TextMatch, other: TextMatch): number {
  return compare(one.path, other.path) || one.line - other.line;
}

function isIn(root: string, file: string): boolean {
  return file === root || file.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`);
}

/** The rules of a walk for single files, which need not be there. */
async function wanted(
  root: string,
  { ignored, environment, searchesIgnored = false }: SearchRules,
  { include = [], exclude = [] }: Pick<TextSearchRequest, 'include' | 'exclude'>,
): Promise<(file: string) => Promise<boolean>> {
  const top = await IgnoreRules.atRoot(root, environment);
  const [isIncluded, isExcluded] = [matcherOf(include), matcherOf(exclude)];
  return async (file) => {
    if (ignored.ruleFor(file, false) !== undefined) return false;
    // A file asked for by its own name is meant.
    if (file === root) return true;
    let rules = top;
    const parts = belowRoot(root, file).split('/');
    for (let count = 1; count < parts.length; count += 1) {
      const below = parts.slice(0, count).join('/');
      const folder = path.join(root, ...parts.slice(0, count));
      if (EXCLUDED_FOLDERS.includes(parts[count - 1] ?? '') || isExcluded(below)) return false;
      if (!searchesIgnored && rules.ignores(folder, true)) return false;
      rules = await rules.below(folder);
    }
    const below = parts.join('/');
    if (isExcludedName(path.basename(file)) || isExcluded(below)) return false;
    if (include.length > 0) return isIncluded(below);
    return searchesIgnored || !rules.ignores(file, false);
  };
}
