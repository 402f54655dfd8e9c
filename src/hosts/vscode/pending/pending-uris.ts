import * as vscode from 'vscode';
import type { ReviewKind, Reviews, Selected } from '../../../core/review/service/reviews.ts';
import { BASELINE_SCHEME, PENDING_SCHEME } from '../../../manifest/context-key-names.ts';

/** A file of a review and which of its two texts is meant. */
export interface PendingPlace {
  readonly kind: ReviewKind;
  readonly path: string;
  readonly side: 'baseline' | 'document';
}

/** Queries of addresses that are not those of a file with written changes. */
const PROPOSED = 'proposed';
const NOTHING = 'nothing';
const ASKED = 'asked:';

/** Addresses of the texts of reviews. Those of an edit that is asked about end with its question. */
export class PendingUris {
  readonly baselineScheme: string;
  readonly proposalScheme: string;

  readonly #asked: Pick<Reviews['agent']['asked'], 'idAt'>;

  /** @param prefix other schemes than Belay's own are for tests beside it in one window */
  constructor(asked: Pick<Reviews['agent']['asked'], 'idAt'>, prefix = '') {
    this.#asked = asked;
    this.baselineScheme = `${prefix}${BASELINE_SCHEME}`;
    this.proposalScheme = `${prefix}${PENDING_SCHEME}`;
  }

  /** The file without its pending changes; of a proposal: the file as it is. */
  baselineOf({ kind, path }: Selected): vscode.Uri {
    const query = kind === 'asked' ? this.#askedAt(path) : kind === 'proposed' ? PROPOSED : '';
    return vscode.Uri.file(path).with({ scheme: this.baselineScheme, query });
  }

  /** The editable document: the file itself, or the proposal. */
  documentOf({ kind, path }: Selected): vscode.Uri {
    const file = vscode.Uri.file(path);
    if (kind === 'written') return file;
    const query = kind === 'asked' ? this.#askedAt(path) : '';
    return file.with({ scheme: this.proposalScheme, query });
  }

  /** An empty text in the place of a file that is not there. */
  nothingAt(path: string): vscode.Uri {
    return vscode.Uri.file(path).with({ scheme: this.baselineScheme, query: NOTHING });
  }

  /**
   * The place of an address; any file reads as one with written changes. `undefined`: none, or an edit that is asked
   * about no longer.
   */
  read(uri: vscode.Uri): PendingPlace | undefined {
    const path = uri.with({ scheme: 'file', query: '' }).fsPath;
    if (uri.scheme === 'file') return { kind: 'written', path, side: 'document' };
    const isProposal = uri.scheme === this.proposalScheme;
    if (!isProposal && uri.scheme !== this.baselineScheme) return undefined;
    const side = isProposal ? 'document' : 'baseline';
    if (uri.query.startsWith(ASKED))
      return uri.query === this.#askedAt(path) ? { kind: 'asked', path, side } : undefined;
    if (uri.query === NOTHING) return undefined;
    return { kind: isProposal || uri.query === PROPOSED ? 'proposed' : 'written', path, side };
  }

  #askedAt(path: string): string {
    return `${ASKED}${this.#asked.idAt(path) ?? ''}`;
  }
}
