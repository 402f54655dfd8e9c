import path from 'node:path';
import * as vscode from 'vscode';
import type { FileEntry, FileStat, FileSystem } from '../../../core/ports.ts';
import { BelayError } from '../../../domain/failure.ts';
import { PROPOSED_SCHEME } from '../manifest/context-key-names.ts';
import { documentEdits } from './document-edits.ts';

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
  async read(file: string, maxBytes?: number): Promise<Uint8Array> {
    const document = await this.#openDocument(file);
    if (document?.isDirty !== true) return this.#disk.read(file, maxBytes);
    const bytes = await encoded(document, document.getText());
    if (maxBytes !== undefined && bytes.byteLength > maxBytes) {
      throw new BelayError({
        code: 'invalid',
        message: `${file} has ${bytes.byteLength} bytes; at most ${maxBytes} are read.`,
      });
    }
    return bytes;
  }

  async readPart(file: string, offset: number, length: number): Promise<Uint8Array> {
    const document = await this.#openDocument(file);
    if (document?.isDirty !== true) return this.#disk.readPart(file, offset, length);
    return (await encoded(document, document.getText())).slice(offset, offset + length);
  }

  async write(
    file: string,
    content: Uint8Array,
    options?: { readonly exact?: boolean },
  ): Promise<void> {
    refuseDirtyNotebook(file);
    const document = await this.#openDocument(file);
    if (document === undefined) {
      await this.#disk.write(file, content, options);
      return;
    }
    if (options?.exact === true && (await this.#disk.realpath(file)) !== file) {
      throw new BelayError({
        code: 'permission',
        message: `${file} has become a link to another place since you said yes. Nothing was written.`,
      });
    }
    if ((await this.#disk.stat(file))?.readOnly === true) {
      throw new BelayError({
        code: 'permission',
        message: `${file} is read-only. Nothing was changed; make it writable and try again.`,
      });
    }
    const text = await vscode.workspace.decode(content, { encoding: document.encoding });
    const exact = documentEdits(document, text);
    const kept = exact !== undefined && same(await encoded(document, text), content);
    if (!kept && !document.isDirty) {
      // Mixed line ends or another byte order mark: an editor cannot hold them, but reads them anew.
      await this.#disk.write(file, content, options);
      return;
    }
    const edits = exact ?? documentEdits(document, withLineEndsOf(document, text)) ?? [];
    try {
      await this.#change(document, edits);
    } catch (error) {
      if (!document.isClosed) throw error;
      // Its last editor was closed meanwhile: the disk is the file again.
      await this.#disk.write(file, content, options);
    }
  }

  stat(file: string): Promise<FileStat | undefined> {
    return this.#disk.stat(file);
  }

  list(folder: string): Promise<readonly FileEntry[]> {
    return this.#disk.list(folder);
  }

  realpath(file: string): Promise<string> {
    return this.#disk.realpath(file);
  }

  /** Through VS Code, which has the trash and tells the open editors. */
  async delete(file: string): Promise<void> {
    const uri = vscode.Uri.file(file);
    try {
      await vscode.workspace.fs.delete(uri, { recursive: true, useTrash: true });
    } catch {
      // No trash on this machine, or for this file.
      await this.#disk.delete(file);
    }
  }

  /** Open editors, with unsaved changes too, follow to the new name. */
  async rename(from: string, to: string): Promise<void> {
    const open = vscode.workspace.textDocuments.some((one) => one.uri.fsPath === from);
    if (!open) {
      await this.#disk.rename(from, to);
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to), { overwrite: false });
    if (await vscode.workspace.applyEdit(edit)) return;
    throw new BelayError({
      code: 'tool',
      message: `${from} could not be renamed to ${to} in the editor. Nothing was changed.`,
    });
  }

  async #change(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): Promise<void> {
    if (edits.length > 0) {
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, [...edits]);
      if (!(await vscode.workspace.applyEdit(edit))) {
        throw new BelayError({
          code: 'tool',
          message: `${document.uri.fsPath} could not be changed in its editor. Nothing was changed; try again.`,
        });
      }
    }
    // Whether the document counts as dirty is told a moment after the edit: it is not asked here.
    if (!(await document.save())) {
      throw new BelayError({
        code: 'permission',
        message: `${document.uri.fsPath} was changed in its editor but could not be saved. Save it there, or undo the change.`,
      });
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

/** What the person's tabs show; the diff of a proposal closes by itself and does not count. */
function urisInEditors(): ReadonlySet<string> {
  const uris = new Set<string>();
  for (const { input } of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
    if (input instanceof vscode.TabInputText) uris.add(input.uri.toString());
    else if (input instanceof vscode.TabInputTextDiff) {
      if (input.modified.scheme === PROPOSED_SCHEME) continue;
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
  throw new BelayError({
    code: 'tool',
    message: `${file} has unsaved changes in a notebook editor. Nothing was written; save or revert it first.`,
  });
}

function encoded(document: vscode.TextDocument, text: string): Thenable<Uint8Array> {
  return vscode.workspace.encode(text, { encoding: document.encoding });
}

function withLineEndsOf(document: vscode.TextDocument, text: string): string {
  return text.replaceAll(/\r\n|\r|\n/gu, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
