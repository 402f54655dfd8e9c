import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/disposable.ts';

/** Files in memory that VS Code shows and edits, each by its own address: there are no folders to work in. */
export abstract class EditedFiles implements vscode.FileSystemProvider {
  protected readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  abstract stat(uri: vscode.Uri): vscode.FileStat;
  abstract readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array>;
  abstract writeFile(uri: vscode.Uri, content: Uint8Array): void;

  /** Every change is told as it happens, whoever watches. */
  watch(): Disposable {
    return { dispose: () => {} };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
