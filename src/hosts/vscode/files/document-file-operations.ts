import * as vscode from 'vscode';
import { pathBelow } from '../../../domain/paths.ts';
import type {
  FileOperations,
  NamedEntry,
  Removed,
} from '../../../core/ports/files/file-operations.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { movedToTrash, renameThroughEditor } from './through-editor.ts';

/** File operations in a window: open editors follow to new names, and what is removed goes to the trash. */
export class DocumentFileOperations implements FileOperations {
  readonly #disk: FileOperations;

  constructor(disk: FileOperations) {
    this.#disk = disk;
  }

  lookUp(file: string): Promise<NamedEntry | undefined> {
    return this.#disk.lookUp(file);
  }

  createFolder(folder: string): Promise<readonly string[]> {
    return this.#disk.createFolder(folder);
  }

  removeEmptyFolder(folder: string): Promise<void> {
    return this.#disk.removeEmptyFolder(folder);
  }

  async rename(from: string, to: string): Promise<void> {
    if (openBelow(from).length === 0) {
      await this.#disk.rename(from, to);
      return;
    }
    const [source, taken] = await Promise.all([this.#disk.lookUp(from), this.#disk.lookUp(to)]);
    if (source === undefined || (taken !== undefined && taken.id !== source.id)) {
      // It says what is wrong.
      await this.#disk.rename(from, to);
      return;
    }
    await renameThroughEditor(from, to);
  }

  /** As it is on disk: what is typed and not saved stays where it is. */
  copy(from: string, to: string, signal: AbortSignal): Promise<void> {
    return this.#disk.copy(from, to, signal);
  }

  async remove(file: string): Promise<Removed> {
    const unsaved = openBelow(file).find((document) => document.isDirty);
    if (unsaved !== undefined) {
      const message = told`${unsaved.uri.fsPath} has unsaved changes in an editor, so ${file} was not removed. Ask the person to save or revert it.`;
      throw fault('invalid', message);
    }
    return (await movedToTrash(file)) ? { to: 'trash' } : this.#disk.remove(file);
  }
}

function openBelow(file: string): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) =>
      uri.scheme === 'file' && !isClosed && pathBelow(file, uri.fsPath) !== undefined,
  );
}
