import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';

/** The folders that are open and whether their authors are trusted. */
export class Workspace implements Disposable {
  readonly #lifetime = new Lifetime();
  readonly #trusted = this.#lifetime.add(new Listeners());
  readonly #folders = this.#lifetime.add(new Listeners());

  constructor() {
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#trusted.fire()));
    this.#lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#folders.fire()));
  }

  /** Absolute paths; the first is the default root. Empty: no folder is open, or none on this machine's disk. */
  get roots(): readonly string[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === 'file')
      .map((folder) => folder.uri.fsPath);
  }

  /** Trust is only ever granted; taking it back reloads the window. */
  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  /** A name for people: the workspace file's, the folder's, or none. */
  get name(): string | undefined {
    return vscode.workspace.name;
  }

  readonly onTrusted = this.#trusted.listen;
  readonly onRootsChanged = this.#folders.listen;

  dispose(): void {
    this.#lifetime.dispose();
  }
}
