import type {
  FileSearchRequest,
  Search,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports.ts';
import { matchFiles } from './file-names.ts';
import { plainFiles, plainText } from './plain-search.ts';
import { findRipgrep, ripgrepFiles, ripgrepText } from './ripgrep.ts';

/**
 * Searches with ripgrep where there is one, else with a plain scan of its own. Both honour .gitignore,
 * skip `.git` and files that hold secrets, follow no links, and give matches in the order of the paths.
 */
export class NodeSearch implements Search {
  readonly #ripgrep: Promise<string | undefined>;

  /** `candidates`: where ripgrep may be, best first; the PATH is looked at last. `[]` and no PATH: the plain scan. */
  constructor(candidates: readonly string[] = [], path: string | undefined = process.env['PATH']) {
    this.#ripgrep = findRipgrep(candidates, path);
  }

  async text(request: TextSearchRequest, signal: AbortSignal): Promise<TextSearchResult> {
    const program = await this.#ripgrep;
    return program === undefined
      ? plainText(request, signal)
      : ripgrepText(program, request, signal);
  }

  async files(
    request: FileSearchRequest,
    signal: AbortSignal,
  ): Promise<{ readonly paths: readonly string[]; readonly complete: boolean }> {
    const program = await this.#ripgrep;
    const files =
      program === undefined
        ? plainFiles(request.root, signal)
        : ripgrepFiles(program, request.root, signal);
    return matchFiles(files, request);
  }
}
