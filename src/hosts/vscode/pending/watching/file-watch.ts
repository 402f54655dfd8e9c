import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { PendingParts } from '../pending-parts.ts';

/** Milliseconds in which changes on disk are collected. */
const COLLECT_MS = 60;
/** Files that are read at the same time. */
const AT_ONCE = 4;

/**
 * Tells the reviews what happens to their files on disk: only to those, however many others change.
 * Nothing is watched while nothing is pending.
 */
export class FileWatch implements Disposable {
  readonly #parts: PendingParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = new Set<string>();
  /** When and how large a file was when it was last looked at. */
  readonly #seen = new Map<string, string>();
  #watching: Lifetime | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading = 0;

  constructor(parts: PendingParts) {
    this.#parts = parts;
    const { workspace, window } = vscode;
    const changed = (uris: readonly vscode.Uri[]): void => uris.forEach((uri) => this.#look(uri));
    for (const listening of [
      workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => this.#renamed(oldUri, newUri)),
      ),
      workspace.onDidCreateFiles(({ files }) => changed(files)),
      workspace.onDidDeleteFiles(({ files }) => changed(files)),
      workspace.onDidSaveNotebookDocument(({ uri }) => changed([uri])),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#rest();
        this.#follow();
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#lookAgain().catch(parts.onError);
      }),
      parts.feed.onChange(() => this.#follow()),
    ])
      this.#lifetime.add(listening);
    this.#follow();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#rest();
    this.#lifetime.dispose();
  }

  #follow(): void {
    const isNeeded = this.#parts.reviews.files.known.length > 0;
    if (!isNeeded) this.#rest();
    else if (this.#watching === undefined) this.#watch();
  }

  #watch(): void {
    const watching = new Lifetime();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme !== 'file') continue;
      const watcher = watching.add(
        vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**')),
      );
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
        watching.add(event((uri) => this.#look(uri)));
    }
    this.#watching = watching;
  }

  #rest(): void {
    this.#watching?.dispose();
    this.#watching = undefined;
    this.#seen.clear();
  }

  #renamed(from: vscode.Uri, to: vscode.Uri): void {
    if (from.scheme !== 'file' || to.scheme !== 'file') return;
    this.#parts.reviews.files.fileRenamed(from.fsPath, to.fsPath);
  }

  #look({ scheme, fsPath }: vscode.Uri): void {
    if (scheme !== 'file' || !this.#parts.reviews.files.concerns(fsPath)) return;
    this.#changed.add(fsPath);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#read();
    }, COLLECT_MS);
  }

  #read(): void {
    for (const path of this.#changed) {
      if (this.#reading >= AT_ONCE) return;
      this.#changed.delete(path);
      this.#reading += 1;
      const { reviews } = this.#parts;
      // Between what an agent announced and its writing the file is still the old one.
      reviews.files
        .inTurn(path, () => reviews.files.fileChanged(path))
        .catch(this.#parts.onError)
        .finally(() => {
          this.#reading -= 1;
          this.#read();
        });
    }
  }

  /** Looks where no watcher does: folders that are excluded from watching, files outside the workspace. */
  async #lookAgain(): Promise<void> {
    for (const path of this.#parts.reviews.files.known) {
      const uri = vscode.Uri.file(path);
      const stat = await vscode.workspace.fs.stat(uri).then(
        ({ mtime, size }) => `${mtime} ${size}`,
        () => 'gone',
      );
      if (this.#seen.get(path) === stat) continue;
      this.#seen.set(path, stat);
      this.#look(uri);
    }
  }
}
