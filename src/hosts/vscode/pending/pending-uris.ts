import * as vscode from 'vscode';
import { BASELINE_SCHEME } from '../../../manifest/context-key-names.ts';

/** A file with pending changes, and which of its two texts is meant. */
export interface PendingPlace {
  readonly path: string;
  readonly side: 'baseline' | 'document';
}

/** The query of an address that stands for a file that is not there. */
const NOTHING = 'nothing';

/** Addresses of the texts of reviews: the file itself, and the text without its pending changes. */
export class PendingUris {
  readonly baselineScheme: string;

  /** @param prefix other schemes than Belay's own are for tests beside it in one window */
  constructor(prefix = '') {
    this.baselineScheme = `${prefix}${BASELINE_SCHEME}`;
  }

  /** The file without its pending changes. */
  baselineOf(path: string): vscode.Uri {
    return vscode.Uri.file(path).with({ scheme: this.baselineScheme });
  }

  /** An empty text in the place of a file that is not there. */
  nothingAt(path: string): vscode.Uri {
    return vscode.Uri.file(path).with({ scheme: this.baselineScheme, query: NOTHING });
  }

  /** The place of an address; `undefined`: it is neither a file nor a text of a review. */
  read(uri: vscode.Uri): PendingPlace | undefined {
    const path = uri.with({ scheme: 'file', query: '' }).fsPath;
    if (uri.scheme === 'file') return { path, side: 'document' };
    if (uri.scheme !== this.baselineScheme || uri.query === NOTHING) return undefined;
    return { path, side: 'baseline' };
  }
}
