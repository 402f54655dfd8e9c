import type {
  FileSearchRequest,
  Search,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports.ts';
import { BelayIgnoreRules } from './belay-ignore.ts';
import { findRipgrep } from './find-ripgrep.ts';

/**
 * Searches with ripgrep where there is one, else with a plain scan of its own. Both honour
 * .gitignore, git's other ignore files and `.belayignore`, skip `.git` and files that hold secrets, follow no links, and give matches in the order of the paths.
 * What it needs is loaded at the first search: most starts of the host see none.
 */
export class NodeSearch implements Search {
  readonly #candidates: readonly string[];
  readonly #path: string | undefined;
  #ripgrep: Promise<string | undefined> | undefined;

  /** `candidates`: where ripgrep may be, best first; the PATH is looked at last. `[]` and no PATH: the plain scan. */
  constructor(candidates: readonly string[] = [], path: string | undefined = process.env['PATH']) {
    this.#candidates = candidates;
    this.#path = path;
  }

  async text(request: TextSearchRequest, signal: AbortSignal): Promise<TextSearchResult> {
    const program = await this.#program();
    const ignored = new BelayIgnoreRules();
    if (program === undefined)
      return (await import('./plain-search.ts')).plainText(request, ignored, signal);
    return (await import('./ripgrep.ts')).ripgrepText(program, request, ignored, signal);
  }

  async files(
    request: FileSearchRequest,
    signal: AbortSignal,
  ): Promise<{ readonly paths: readonly string[]; readonly complete: boolean }> {
    const program = await this.#program();
    const ignored = new BelayIgnoreRules();
    const { matchFiles } = await import('./file-names.ts');
    const files =
      program === undefined
        ? (await import('./plain-search.ts')).plainFiles(request.root, ignored, signal)
        : (await import('./ripgrep.ts')).ripgrepFiles(program, request.root, ignored, signal);
    return matchFiles(files, request);
  }

  #program(): Promise<string | undefined> {
    this.#ripgrep ??= findRipgrep(this.#candidates, this.#path);
    return this.#ripgrep;
  }
}
