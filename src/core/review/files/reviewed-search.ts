import type {
  FileSearchRequest,
  FileSearchResult,
  LineCounts,
  Search,
  TextSearchRequest,
  TextSearchResult,
} from '../../ports/files/search.ts';
import type { SearchOverlay } from '../../ports/files/search-overlay.ts';
import { textOf } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';

/** Searches the files as an agent has them: what is proposed is found, what it replaces is not. */
export class ReviewedSearch implements Search {
  readonly #search: Search;
  readonly #reviews: Pick<Reviews, 'pending'>;

  constructor(search: Search, reviews: Pick<Reviews, 'pending'>) {
    this.#search = search;
    this.#reviews = reviews;
  }

  text(request: TextSearchRequest, signal: AbortSignal): Promise<TextSearchResult> {
    return this.#search.text({ ...request, overlay: this.#overlay() }, signal);
  }

  counts(request: TextSearchRequest, signal: AbortSignal): Promise<LineCounts> {
    return this.#search.counts({ ...request, overlay: this.#overlay() }, signal);
  }

  files(request: FileSearchRequest, signal: AbortSignal): Promise<FileSearchResult> {
    return this.#search.files({ ...request, overlay: this.#overlay() }, signal);
  }

  #overlay(): SearchOverlay {
    const overlay = new Map<string, string | undefined>();
    const proposals = this.#reviews.pending.flatMap(({ kind, review }) =>
      kind === 'proposed' ? review : [],
    );
    for (const { renamedFrom } of proposals)
      if (renamedFrom !== undefined) overlay.set(renamedFrom, undefined);
    // Of a file that is no text only the name can be found.
    for (const { path, document } of proposals)
      overlay.set(path, document.kind === 'absent' ? undefined : (textOf(document) ?? ''));
    return overlay;
  }
}
