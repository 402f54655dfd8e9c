import { abortError, isAbortError } from '../../domain/lifetime/abort.ts';
import { failureOf } from '../../domain/failure.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CompletionsView } from '../../protocol/completion-view.ts';
import type { InputSource, ScoredRow } from './source.ts';

/** Rows of one list. */
const MOST_ROWS = 40;
/** Milliseconds after which what is there is shown; the rest follows. */
const FIRST_ROWS = 120;
/** Milliseconds that the slowest source may take. */
const PATIENCE = 5000;

/** Sources that a prefix chooses. */
const KINDS: ReadonlySet<string> = new Set(['file', 'folder', 'symbol', 'session', 'resource']);

interface Search {
  readonly key: string;
  readonly end: AbortController;
  /** By source. */
  readonly found: Map<string, readonly ScoredRow[]>;
  readonly all: Promise<unknown>;
  isWhole: boolean;
}

/** The list of the input: asks all sources at once; a search ends when the next begins. */
export class Completions {
  readonly #sources: readonly InputSource[];
  readonly #clock: Clock;
  readonly #log: Log;
  #current: Search | undefined;

  constructor(sources: readonly InputSource[], clock: Clock, log: Log) {
    this.#sources = sources;
    this.#clock = clock;
    this.#log = log;
  }

  /** @param rest waits for all sources, not only for the fast ones */
  async search(trigger: '@' | '/', query: string, rest: boolean): Promise<CompletionsView> {
    const key = `${trigger}${query}`;
    const current = this.#current?.key === key && rest ? this.#current : this.#begin(trigger, key);
    await Promise.race([current.all, this.#clock.sleep(rest ? PATIENCE : FIRST_ROWS)]);
    if (current.end.signal.aborted) return { rows: [], more: false };
    // Sources keep their order among rows of the same worth.
    const rows = [...current.found.values()]
      .flat()
      .toSorted((left, right) => right.score - left.score)
      .slice(0, MOST_ROWS)
      .map(({ score: _score, ...row }) => row);
    return { rows, more: !current.isWhole && !rest };
  }

  #begin(trigger: '@' | '/', key: string): Search {
    this.#current?.end.abort();
    const { sources, query, byKind } = this.#choose(trigger, key.slice(1));
    const end = new AbortController();
    const found = new Map<string, readonly ScoredRow[]>(sources.map(({ id }) => [id, []]));
    const asked = sources.map(async (source) => {
      try {
        const rows = await source.search(query, end.signal, byKind);
        if (!end.signal.aborted) found.set(source.id, rows);
      } catch (error) {
        // A source that fails has no rows; the others have.
        if (!isAbortError(error) && !end.signal.aborted)
          this.#log.debug('A source of the input failed.', {
            source: source.id,
            reason: failureOf(error).message,
          });
      }
    });
    const over = new Promise<void>((resolve) =>
      end.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    const search: Search = {
      key,
      end,
      found,
      all: Promise.race([Promise.all(asked).then(() => (search.isWhole = true)), over]),
      isWhole: false,
    };
    this.#current = search;
    return search;
  }

  /** `@symbol:name` searches the source "symbol" alone; other texts search all. */
  #choose(
    trigger: '@' | '/',
    text: string,
  ): {
    readonly sources: readonly InputSource[];
    readonly query: string;
    readonly byKind: boolean;
  } {
    const sources = this.#sources.filter((source) => source.trigger === trigger);
    const { kind, rest = '' } = /^(?<kind>[a-z]+):(?!\/\/)(?<rest>.*)$/u.exec(text)?.groups ?? {};
    const chosen = trigger === '@' ? sources.filter(({ id }) => KINDS.has(id) && id === kind) : [];
    return chosen.length > 0
      ? { sources: chosen, query: rest, byKind: true }
      : {
          sources: sources.filter(({ isOnlyByKind }) => isOnlyByKind !== true),
          query: text,
          byKind: false,
        };
  }

  dispose(): void {
    this.#current?.end.abort(abortError());
  }
}
