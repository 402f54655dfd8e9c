import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { changedMeanwhile } from '../../../core/files/changed-meanwhile.ts';
import type { ChangeOptions } from '../../../core/ports/files/change-origin.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../../../core/ports/files/file-system.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { type DocumentWrite, encoded, writeDocument } from './document-write.ts';
import { movedToTrash, renameThroughEditor } from './through-editor.ts';

/** How often a file is looked at anew because its editor was closed, or was behind the disk, meanwhile. */
const ATTEMPTS = 5;
/** Milliseconds before the second attempt; twice and three times as long before the next ones. */
const PAUSE = 40;

/**
 * Files as the person sees them: where a file is open in an editor, its text there is what counts, and
 * a write is an edit that can be undone. Everything else goes to the file system below.
 */
export class DocumentFileSystem implements FileSystem {
  readonly #disk: FileSystem;

  constructor(disk: FileSystem) {
    this.#disk = disk;
  }

  /** The text in the editor, encoded as the file is, when it has unsaved changes. */
  async read(file: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    const document = await this.#openDocument(file);
    if (document?.isDirty !== true) return this.#disk.read(file, maxBytes, options);
    const bytes = await encoded(document, document.getText());
    if (maxBytes !== undefined && bytes.byteLength > maxBytes) {
      const message = told`${file} has ${bytes.byteLength} bytes; at most ${maxBytes} are read.`;
      throw fault('invalid', message);
    }
    return bytes;
  }

  async readPart(
    file: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array> {
    const document = await this.#openDocument(file);
    if (document?.isDirty !== true) return this.#disk.readPart(file, offset, length, options);
    return (await encoded(document, document.getText())).slice(offset, offset + length);
  }

  /**
   * A file that is open in an editor is written by an edit. What the person types, or another program
   * writes, between the reading and the writing is kept, and the write fails with `invalid`.
   */
  async write(file: string, content: Uint8Array, options: WriteOptions = {}): Promise<void> {
    refuseDirtyNotebook(file);
    let base = options.replaces;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const document = await this.#openDocument(file);
      const gone = document?.isDirty !== true && (await this.#disk.stat(file)) === undefined;
      if (document === undefined || gone) {
        await this.#disk.write(
          file,
          content,
          base === undefined ? options : { ...options, replaces: base },
        );
        return;
      }
      await this.#refuseLinksAndReadOnly(file, options);
      base ??= await this.read(file);
      if (base === 'nothing') throw changedMeanwhile(file, base, true);
      const write: DocumentWrite = {
        file,
        document,
        content,
        base,
        options,
        onDisk: attempt === ATTEMPTS,
      };
      const wasSaved = !document.isDirty;
      if ((await writeDocument(this.#disk, write)) === 'written') {
        if (wasSaved) await tellSaved(document, file, options);
        return;
      }
      await delay(PAUSE * attempt);
    }
    throw fault(
      'tool',
      told`${file} was changed or closed in its editor each time it was to be written, or something puts it back as it was when it is saved. Nothing was written; look at it, then try again.`,
      { details: { path: file } },
    );
  }

  async stat(file: string): Promise<FileStat | undefined> {
    const stat = await this.#disk.stat(file);
    if (stat?.type !== 'file' || !vscode.workspace.textDocuments.some(({ isDirty }) => isDirty))
      return stat;
    const document = await this.#openDocument(file);
    return document?.isDirty === true ? { ...stat, unsaved: true } : stat;
  }

  list(folder: string): Promise<readonly FileEntry[]> {
    return this.#disk.list(folder);
  }

  realpath(file: string): Promise<string> {
    return this.#disk.realpath(file);
  }

  /** Through VS Code, which has the trash and tells the open editors. */
  async delete(file: string, options: ChangeOptions = {}): Promise<void> {
    if (await movedToTrash(file)) options.changed?.(file, undefined);
    else await this.#disk.delete(file, options);
  }

  async rename(from: string, to: string): Promise<void> {
    const open = vscode.workspace.textDocuments.some((one) => one.uri.fsPath === from);
    if (!open) {
      await this.#disk.rename(from, to);
      return;
    }
    await renameThroughEditor(from, to);
  }

  async #refuseLinksAndReadOnly(file: string, options: WriteOptions): Promise<void> {
    if (options.exact === true && (await this.#disk.realpath(file)) !== file) {
      const message = told`${file} has become a link to another place since you said yes. Nothing was written.`;
      throw fault('permission', message);
    }
    if ((await this.#disk.stat(file))?.readOnly === true) {
      const message = told`${file} is read-only. Nothing was changed; make it writable and try again.`;
      throw fault('permission', message);
    }
  }

  /**
   * The open document of a file, by its path or, through symbolic links, by what the path means. One that
   * is clean and in no editor of the person's does not count: VS Code may let go of it at any moment.
   */
  async #openDocument(file: string): Promise<vscode.TextDocument | undefined> {
    const inEditors = urisInEditors();
    const open = vscode.workspace.textDocuments.filter(
      (one) =>
        one.uri.scheme === 'file' &&
        !one.isClosed &&
        (one.isDirty || inEditors.has(one.uri.toString())),
    );
    const byPath = open.find((one) => one.uri.fsPath === file);
    if (byPath !== undefined) return byPath;
    const name = path.basename(file).toLowerCase();
    const alike = open.filter((one) => path.basename(one.uri.fsPath).toLowerCase() === name);
    if (alike.length === 0) return undefined;
    const real = await this.#disk.realpath(file).catch(() => undefined);
    for (const document of alike) {
      const other = await this.#disk.realpath(document.uri.fsPath).catch(() => undefined);
      if (real !== undefined && other === real) return document;
    }
    return undefined;
  }
}

/** Another program may have written the file since it was saved: the editor has not read that yet. */
async function tellSaved(
  document: vscode.TextDocument,
  file: string,
  { changed }: ChangeOptions,
): Promise<void> {
  const saved = await encoded(document, document.getText());
  if (!document.isDirty && !document.isClosed) changed?.(file, saved);
}

/** Addresses in the person's tabs. */
function urisInEditors(): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { input } of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
    if (input instanceof vscode.TabInputText) uris.add(input.uri.toString());
    else if (input instanceof vscode.TabInputTextDiff) {
      uris.add(input.original.toString()).add(input.modified.toString());
    }
  }
  return uris;
}

function refuseDirtyNotebook(file: string): void {
  const notebook = vscode.workspace.notebookDocuments.find(
    (one) => one.uri.scheme === 'file' && one.uri.fsPath === file && one.isDirty,
  );
  if (notebook === undefined) return;
  const message = told`${file} has unsaved changes in a notebook editor. Nothing was written; save or revert it first.`;
  throw fault('tool', message);
}
