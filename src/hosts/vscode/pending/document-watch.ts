import * as vscode from 'vscode';
import type { Disposable } from '../../../core/ports.ts';
import { textContent } from '../../../core/review/file-review.ts';
import type { Reviews } from '../../../core/review/reviews.ts';
import { Lifetime } from '../lifetime.ts';

/** Milliseconds after which a save that never told its end counts as failed. */
const LONGEST_SAVE = 10_000;
/** Milliseconds in which VS Code says that a document with a new text has unsaved changes. */
const TOLD_LATE = 50;

/**
 * Tells the reviews what happens to documents in editors: what is typed, undone, or changed by something
 * else, which is a formatter while it is saved, or the file on disk.
 */
export class DocumentWatch implements Disposable {
  readonly #reviews: Reviews;
  readonly #lifetime = new Lifetime();
  readonly #saving = new Map<string, NodeJS.Timeout>();
  /** Changes of documents without unsaved text: typed, or read anew from disk. */
  readonly #unclear = new Map<
    string,
    { readonly timer: NodeJS.Timeout; readonly settle: () => void }
  >();

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
    const { workspace } = vscode;
    this.#lifetime.add(workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#lifetime.add(
      workspace.onWillSaveTextDocument(({ document }) => {
        if (this.#concerns(document)) this.#beginSave(document.uri.fsPath);
      }),
    );
    this.#lifetime.add(workspace.onDidSaveTextDocument(({ uri }) => this.#endSave(uri.fsPath)));
    this.#lifetime.add(workspace.onDidOpenTextDocument((one) => this.#opened(one)));
    workspace.textDocuments.forEach((one) => this.#opened(one));
  }

  dispose(): void {
    for (const timer of this.#saving.values()) clearTimeout(timer);
    for (const { timer, settle } of this.#unclear.values()) {
      clearTimeout(timer);
      settle();
    }
    this.#lifetime.dispose();
  }

  #concerns({ uri }: vscode.TextDocument): boolean {
    return uri.scheme === 'file' && this.#reviews.concerns(uri.fsPath);
  }

  #changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const { scheme, fsPath } = document.uri;
    if (scheme === 'file' && document.isDirty) this.#reviews.personEdits.touched(fsPath);
    if (!this.#concerns(document)) return;
    const path = document.uri.fsPath;
    if (contentChanges.length === 0) {
      if (document.isDirty) this.#clear(path);
      return;
    }
    this.#clear(path);
    const after = textContent(document.getText());
    if (reason !== undefined) {
      this.#reviews.documentChanged(path, after, { kind: 'undone' });
      return;
    }
    if (this.#saving.has(path)) {
      this.#reviews.documentChanged(path, after, { kind: 'outside' });
      return;
    }
    const changes = contentChanges.map(({ range, text }) => ({
      start: range.start,
      end: range.end,
      text,
    }));
    const typed = (): void =>
      this.#reviews.documentChanged(path, after, { kind: 'typed', changes });
    if (document.isDirty) {
      typed();
      return;
    }
    // Whether it is dirty now is told a moment later; a text that was read from disk stays clean.
    const timer = setTimeout(() => {
      this.#unclear.delete(path);
      this.#reviews.documentChanged(path, after, { kind: 'outside' });
    }, TOLD_LATE);
    this.#unclear.set(path, { timer, settle: typed });
  }

  /** What was unclear was typed after all. */
  #clear(path: string): void {
    const unclear = this.#unclear.get(path);
    if (unclear === undefined) return;
    clearTimeout(unclear.timer);
    this.#unclear.delete(path);
    unclear.settle();
  }

  #opened(document: vscode.TextDocument): void {
    if (!document.isDirty || !this.#concerns(document)) return;
    // Unsaved text that VS Code kept over a restart.
    const after = textContent(document.getText());
    this.#reviews.documentChanged(document.uri.fsPath, after, { kind: 'outside' });
  }

  #beginSave(path: string): void {
    clearTimeout(this.#saving.get(path));
    const timer = setTimeout(() => this.#saving.delete(path), LONGEST_SAVE);
    this.#saving.set(path, timer);
  }

  #endSave(path: string): void {
    this.#reviews.personEdits.touched(path);
    clearTimeout(this.#saving.get(path));
    this.#saving.delete(path);
  }
}
