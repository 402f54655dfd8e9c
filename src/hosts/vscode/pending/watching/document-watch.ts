import { readFileSync, statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { textContent } from '../../../../core/review/model/file-review.ts';
import type { Reviews } from '../../../../core/review/service/reviews.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';

/** Milliseconds after which a save that never told its end counts as failed. */
const SAVE_TIMEOUT_MS = 10_000;
/** Bytes up to which a file is compared with its editor. */
const MAX_BYTES = 5_000_000;

/**
 * Tells the reviews what happens to documents in editors: what is typed, undone, changed by a formatter on save, or
 * read anew from disk.
 */
export class DocumentWatch implements Disposable {
  readonly #reviews: Reviews;
  readonly #onError: (error: unknown) => void;
  readonly #lifetime = new Lifetime();
  readonly #saving = new Map<string, NodeJS.Timeout>();

  constructor(reviews: Reviews, onError: (error: unknown) => void) {
    this.#reviews = reviews;
    this.#onError = onError;
    const { workspace } = vscode;
    this.#lifetime.add(workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#lifetime.add(
      workspace.onWillSaveTextDocument(({ document }) => {
        if (this.#concerns(document)) this.#beginSave(document.uri.fsPath);
      }),
    );
    this.#lifetime.add(workspace.onDidSaveTextDocument(({ uri }) => this.#endSave(uri)));
    // Closed without saving, a file is what is on disk.
    this.#lifetime.add(workspace.onDidCloseTextDocument(({ uri }) => this.#look(uri)));
    this.#lifetime.add(workspace.onDidOpenTextDocument((one) => this.#opened(one)));
    workspace.textDocuments.forEach((one) => this.#opened(one));
  }

  dispose(): void {
    for (const timer of this.#saving.values()) clearTimeout(timer);
    this.#lifetime.dispose();
  }

  #concerns({ uri }: vscode.TextDocument): boolean {
    return uri.scheme === 'file' && this.#reviews.files.concerns(uri.fsPath);
  }

  #changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const { scheme, fsPath } = document.uri;
    if (scheme === 'file' && document.isDirty) this.#reviews.files.userEdits.noteEdit(fsPath);
    if (!this.#concerns(document)) return;
    const path = document.uri.fsPath;
    if (contentChanges.length === 0) return;
    const after = textContent(document.getText());
    // Text read anew from disk is another program's; VS Code tells a moment later that there is unsaved text.
    const isRead = reason === undefined && !this.#saving.has(path) && !document.isDirty;
    const isProgram = isRead && isOnDisk(path, document.getText());
    this.#reviews.files.documentChanged(path, after, isProgram ? 'program' : 'editor');
  }

  #opened(document: vscode.TextDocument): void {
    if (!document.isDirty || !this.#concerns(document)) return;
    // Unsaved text that VS Code kept over a restart.
    const after = textContent(document.getText());
    this.#reviews.files.documentChanged(document.uri.fsPath, after, 'editor');
  }

  #beginSave(path: string): void {
    clearTimeout(this.#saving.get(path));
    const timer = setTimeout(() => this.#saving.delete(path), SAVE_TIMEOUT_MS);
    this.#saving.set(path, timer);
  }

  #endSave(uri: vscode.Uri): void {
    const path = uri.fsPath;
    this.#reviews.files.userEdits.noteEdit(path);
    clearTimeout(this.#saving.get(path));
    this.#saving.delete(path);
  }

  /** Brings the pending changes up to what the file is by now. */
  #look({ scheme, fsPath: path }: vscode.Uri): void {
    if (scheme !== 'file' || !this.#reviews.files.concerns(path)) return;
    this.#reviews.files
      .inTurn(path, () => this.#reviews.files.fileChanged(path))
      .catch(this.#onError);
  }
}

/** True when a file is this text in UTF-8; text of any other encoding is taken for typed. */
function isOnDisk(path: string, text: string): boolean {
  try {
    if (statSync(path).size > MAX_BYTES) return false;
    return plain(readFileSync(path, 'utf8')) === plain(text);
  } catch {
    return false;
  }
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n');
}
