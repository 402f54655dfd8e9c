import * as vscode from 'vscode';
import type { ReviewKind, Selected } from '../../../core/review/service/reviews.ts';
import { BASELINE_SCHEME, PENDING_SCHEME } from '../../../manifest/context-key-names.ts';

/** A file of a review and which of its two texts is meant. */
export interface PendingPlace {
  readonly kind: ReviewKind;
  readonly path: string;
  readonly side: 'baseline' | 'document';
}

/** Queries of baselines that are not those of a file with written changes. */
const PROPOSED = 'proposed';
const NOTHING = 'nothing';

/** Addresses of the texts of reviews. */
export class PendingUris {
  readonly baselineScheme: string;
  readonly proposalScheme: string;

  /** Other schemes than Belay's own are for tests beside it in one window. */
  constructor(prefix = '') {
    this.baselineScheme = `${prefix}${BASELINE_SCHEME}`;
    this.proposalScheme = `${prefix}${PENDING_SCHEME}`;
  }

  /** The file without its pending changes; of a proposal: the file as it is. */
  baselineOf({ kind, path }: Selected): vscode.Uri {
    const query = kind === 'proposed' ? PROPOSED : '';
    return vscode.Uri.file(path).with({ scheme: this.baselineScheme, query });
  }

  /** What can be edited: the file itself, or the proposal. */
  documentOf({ kind, path }: Selected): vscode.Uri {
    const file = vscode.Uri.file(path);
    return kind === 'written' ? file : file.with({ scheme: this.proposalScheme });
  }

  /** An empty text in the place of a file that is not there. */
  nothingAt(path: string): vscode.Uri {
    return vscode.Uri.file(path).with({ scheme: this.baselineScheme, query: NOTHING });
  }

  /** What an address is about; any file reads as one with written changes. */
  read(uri: vscode.Uri): PendingPlace | undefined {
    const path = uri.with({ scheme: 'file', query: '' }).fsPath;
    if (uri.scheme === 'file') return { kind: 'written', path, side: 'document' };
    if (uri.scheme === this.proposalScheme) return { kind: 'proposed', path, side: 'document' };
    if (uri.scheme !== this.baselineScheme || uri.query === NOTHING) return undefined;
    return { kind: uri.query === PROPOSED ? 'proposed' : 'written', path, side: 'baseline' };
  }
}
