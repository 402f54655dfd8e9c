import type { Log } from '../../ports/log.ts';
import type { Search } from '../../ports/files/search.ts';

/** As in `instructions.ts`: of two in one folder the first name counts. */
const PATTERN = '**/{AGENTS,CLAUDE,GEMINI}.md';
/** Files that are looked for; the prompt names fewer. */
const MOST_FILES = 200;
/** Milliseconds; a workspace that takes longer to look through goes without the list. */
const TIMEOUT_MS = 3000;

/** Lists a workspace's nested instructions (A7), once: the system prompt must not change. */
export class NestedInstructions {
  readonly #search: Search;
  readonly #log: Log;
  readonly #found = new Map<string, Promise<readonly string[]>>();

  constructor(search: Search, log: Log) {
    this.#search = search;
    this.#log = log;
  }

  /** Absolute paths, sorted; none when the search fails. Never rejects. */
  async under(roots: readonly string[]): Promise<readonly string[]> {
    const key = roots.join('\n');
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#look(roots);
      this.#found.set(key, found);
    }
    return found;
  }

  async #look(roots: readonly string[]): Promise<readonly string[]> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const found = await Promise.all(
        roots.map(async (root) => {
          const request = { root, pattern: PATTERN, limit: MOST_FILES };
          return (await this.#search.files(request, signal)).paths;
        }),
      );
      return preferred(found.flat());
    } catch (error) {
      this.#log.warn('Nested project instructions were not looked for to the end.', {
        reason: String(error),
      });
      return [];
    }
  }
}

/** One file for each folder: AGENTS.md before CLAUDE.md. */
function preferred(paths: readonly string[]): readonly string[] {
  const byFolder = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!byFolder.has(folder)) byFolder.set(folder, path);
  }
  return [...byFolder.values()];
}
