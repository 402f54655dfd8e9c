import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/disposable.ts';
import { EditedFiles } from '../files/edited-files.ts';

interface ProposedFile {
  readonly createdAt: number;
  readonly proposed: string;
  text: string;
  changedAt: number;
}

/**
 * The right sides of reviews: files in memory, one a proposal, which VS Code edits like any other.
 * Nothing here is ever on disk; what counts is the text in the editor, saved or not.
 */
export class ProposedFiles extends EditedFiles implements Disposable {
  readonly #scheme: string;
  readonly #files = new Map<string, ProposedFile>();
  readonly #registration: Disposable;

  constructor(scheme: string) {
    super();
    this.#scheme = scheme;
    this.#registration = vscode.workspace.registerFileSystemProvider(scheme, this, {
      isCaseSensitive: true,
    });
  }

  /**
   * Adds a file that shows `proposed`, or what the person had made of it before. The path gives it
   * language and name; the authority keeps proposals for one file apart.
   */
  add(key: string, path: string, proposed: string, edited: string | undefined): vscode.Uri {
    const uri = this.#uriOf(key, path);
    const now = Date.now();
    const text = edited ?? proposed;
    this.#files.set(uri.toString(), { createdAt: now, changedAt: now, proposed, text });
    this.changed.fire([{ type: vscode.FileChangeType.Created, uri }]);
    return uri;
  }

  has(uri: vscode.Uri): boolean {
    return this.#files.has(uri.toString());
  }

  remove(uri: vscode.Uri): void {
    if (this.#files.delete(uri.toString())) {
      this.changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
    }
  }

  /**
   * What the person has made of the proposal, unsaved changes included; `undefined` when it is
   * still what was proposed. Byte order mark and line ends are the proposal's.
   */
  edited(uri: vscode.Uri): string | undefined {
    const file = this.#files.get(uri.toString());
    if (file === undefined) return undefined;
    const open = vscode.workspace.textDocuments.find(
      (one) => one.uri.toString() === uri.toString(),
    );
    const text = open?.isDirty === true ? open.getText() : file.text;
    return changedText(file.proposed, text);
  }

  override stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: file.createdAt,
      mtime: file.changedAt,
      size: Buffer.byteLength(file.text),
    };
  }

  override readFile(uri: vscode.Uri): Uint8Array {
    return Buffer.from(this.#file(uri).text);
  }

  override writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const file = this.#files.get(uri.toString());
    // A tab that outlived its review is saved so that it can be closed; its text is kept elsewhere.
    if (file === undefined) return;
    file.text = Buffer.from(content).toString('utf8');
    file.changedAt = Math.max(Date.now(), file.changedAt + 1);
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  dispose(): void {
    this.#registration.dispose();
    this.changed.dispose();
    this.#files.clear();
  }

  #uriOf(key: string, path: string): vscode.Uri {
    // Only what an authority may hold without escaping, so that the address survives being parsed.
    const authority = key.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-');
    return vscode.Uri.file(path).with({ scheme: this.#scheme, authority });
  }

  #file(uri: vscode.Uri): ProposedFile {
    const file = this.#files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}

/** `text` with the proposal's mark and line ends; `undefined` when it says the same as the proposal. */
function changedText(proposed: string, text: string): string | undefined {
  const mark = proposed.startsWith('\uFEFF') ? '\uFEFF' : '';
  const plain = (one: string): string => one.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n');
  if (plain(proposed) === plain(text)) return undefined;
  const carriage = (proposed.match(/\r\n/gu) ?? []).length;
  const lines = (proposed.match(/\n/gu) ?? []).length;
  const windows = carriage * 2 > lines;
  return mark + (windows ? plain(text).replaceAll('\n', '\r\n') : plain(text));
}
