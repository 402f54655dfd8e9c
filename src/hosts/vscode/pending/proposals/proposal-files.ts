import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { proposedAt, textContent, textOf } from '../../../../core/review/model/file-review.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { documentEdits } from '../../files/document-edits.ts';
import { openDocument } from '../../files/open-document.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { BaselineParts } from '../editors/baseline-documents.ts';
import type { ChangedReview } from '../../../../window/pending/change-feed.ts';
import { mergedText } from '../../../../window/pending/merged-text.ts';

/** How often an edit is tried while the person types. */
const ATTEMPTS = 10;

/** Texts that VS Code was given lately and may show a moment later. */
const GIVEN = 8;

/** From which times of modification count backwards, in milliseconds: the year 2096. */
const LATEST = 4e12;

/**
 * A proposal as VS Code knows the file. Each time of modification is before all earlier ones, of another window and of
 * a file that was closed meanwhile too: beside unsaved text a newer file is a conflict, and VS Code then refuses to
 * save; here both are merged already.
 */
interface KnownFile {
  readonly text: string;
  readonly modifiedAt: number;
}

/**
 * Proposals as files that can be edited. What is typed counts at once, saved or not; what the agent does
 * meanwhile goes into the open editor as an edit, merged with what is being typed.
 */
export class ProposalFiles implements vscode.FileSystemProvider, Disposable {
  readonly #parts: BaselineParts & { readonly onError: (error: unknown) => void };
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;
  readonly #known = new Map<string, KnownFile>();
  /** The text of an open editor and of its review where both were last the same. */
  readonly #agreed = new Map<string, string>();
  readonly #given = new Map<string, readonly string[]>();
  readonly #following = new Set<string>();
  readonly #createdAt = Date.now();
  #modifiedAt = LATEST - Date.now();

  constructor(parts: BaselineParts & { readonly onError: (error: unknown) => void }) {
    this.#parts = parts;
    const { proposalScheme } = parts.uris;
    this.#lifetime.add(
      vscode.workspace.registerFileSystemProvider(proposalScheme, this, { isCaseSensitive: true }),
    );
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#typed(document)),
    );
    this.#lifetime.add(vscode.workspace.onDidOpenTextDocument((one) => this.#opened(one)));
    this.#lifetime.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        // It only got another language; without what is known of it nothing can be saved in it.
        if (openDocument(uri) !== undefined) return;
        for (const kept of [this.#agreed, this.#known, this.#given]) kept.delete(uri.toString());
      }),
    );
    this.#lifetime.add(parts.feed.onChange((changed) => this.#follow(changed)));
    vscode.workspace.textDocuments.forEach((one) => this.#opened(one));
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const document = this.#review(uri)?.document;
    const { text, modifiedAt } =
      document?.kind === 'binary' ? { text: '', modifiedAt: this.#createdAt } : this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: this.#createdAt,
      mtime: modifiedAt,
      size: document?.kind === 'binary' ? document.bytes : Buffer.byteLength(text),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array> {
    const review = this.#review(uri);
    if (review?.document.kind === 'binary') return this.#bytes(review);
    const { text } = this.#file(uri);
    this.#gave(uri, text);
    return Buffer.from(text);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (this.#review(uri)?.document.kind === 'binary')
      throw vscode.FileSystemError.NoPermissions(
        l10n.t('A proposal of binary data is not edited here.'),
      );
    const text = Buffer.from(content).toString('utf8');
    // A tab that outlived its proposal is saved so that it can be closed.
    this.#know(uri, text);
    const open = openDocument(uri);
    if (open === undefined) this.#edited(uri, text);
    else this.#typed(open);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /** Every change is told as it happens, whoever watches. */
  watch(): Disposable {
    return { dispose: () => {} };
  }

  /** There are no folders to work in. */
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

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** As VS Code knows it while it is open: a file that changes beside unsaved text is a conflict there. */
  #file(uri: vscode.Uri): KnownFile {
    const known = this.#known.get(uri.toString());
    if (known !== undefined) return known;
    const text = this.#proposed(uri);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return this.#know(uri, text);
  }

  #know(uri: vscode.Uri, text: string): KnownFile {
    this.#modifiedAt -= 1;
    const file = { text, modifiedAt: this.#modifiedAt };
    this.#known.set(uri.toString(), file);
    return file;
  }

  #gave(uri: vscode.Uri, text: string): void {
    const key = uri.toString();
    this.#given.set(key, [...(this.#given.get(key) ?? []), plain(text)].slice(-GIVEN));
  }

  #wasGiven(document: vscode.TextDocument): boolean {
    const given = this.#given.get(document.uri.toString());
    return given?.includes(plain(document.getText())) ?? false;
  }

  #review(uri: vscode.Uri): FileReview | undefined {
    const { reviews, uris } = this.#parts;
    const place = uris.read(uri);
    if (place === undefined || place.kind === 'written' || place.side !== 'document')
      return undefined;
    return reviews.find(place.kind, place.path);
  }

  #proposed(uri: vscode.Uri): string | undefined {
    const review = this.#review(uri);
    return review === undefined ? undefined : textOf(review.document);
  }

  /** Of a proposal that is no text. */
  async #bytes(review: FileReview): Promise<Uint8Array> {
    const { document, proposedBytes: made } = review;
    if (document.kind === 'binary' && made?.hash === document.hash) return made.bytes;
    const now = await this.#parts.reviews.files.disk.now(proposedAt(review));
    return now.bytes ?? new Uint8Array();
  }

  #edited(uri: vscode.Uri, text: string): void {
    const place = this.#parts.uris.read(uri);
    if (place !== undefined)
      this.#parts.reviews.files.proposalEdited(place.path, textContent(text), place.kind);
  }

  #isMine(document: vscode.TextDocument): boolean {
    return document.uri.scheme === this.#parts.uris.proposalScheme;
  }

  #opened(document: vscode.TextDocument): void {
    if (!this.#isMine(document)) return;
    const proposed = this.#proposed(document.uri);
    // A change since VS Code read it was forgotten; what is open can be saved, also when it is decided already.
    if (!this.#known.has(document.uri.toString()))
      this.#know(document.uri, proposed ?? document.getText());
    if (proposed === undefined) return;
    // VS Code may bring back unsaved text of its own: it is what the person typed last.
    const shown = plain(document.getText());
    const isUnchanged = this.#wasGiven(document);
    this.#agreed.set(document.uri.toString(), isUnchanged ? shown : proposed);
    if (!isUnchanged) this.#typed(document);
    else if (shown !== proposed) this.#show(document);
  }

  /** The editor's text and the review's become the same again, whichever of them was changed. */
  #typed(document: vscode.TextDocument): void {
    if (!this.#isMine(document)) return;
    const key = document.uri.toString();
    const shown = plain(document.getText());
    const proposed = this.#proposed(document.uri);
    if (proposed === undefined || proposed === shown) {
      this.#agreed.set(key, shown);
      return;
    }
    const base = this.#agreed.get(key) ?? proposed;
    if (base === proposed) {
      this.#edited(document.uri, shown);
      this.#agreed.set(key, shown);
      return;
    }
    if (this.#wasGiven(document)) {
      this.#agreed.set(key, shown);
      this.#show(document);
      return;
    }
    // The agent was at work in the same moment.
    this.#edited(document.uri, mergedText(base, shown, proposed));
    this.#agreed.set(key, shown);
    this.#show(document);
  }

  #follow(changed: readonly ChangedReview[]): void {
    for (const one of changed) {
      if (one.kind === 'written') continue;
      const uri = this.#parts.uris.documentOf(one);
      const open = openDocument(uri);
      if (open !== undefined) this.#show(open);
      else this.#known.delete(uri.toString());
    }
  }

  #show(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (this.#following.has(key)) return;
    this.#following.add(key);
    this.#bringOver(document)
      .catch(this.#parts.onError)
      .finally(() => this.#following.delete(key));
  }

  /** Makes the open editor show what the review says. */
  async #bringOver(document: vscode.TextDocument): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS && !document.isClosed; attempt += 1) {
      const proposed = this.#proposed(document.uri);
      const shown = plain(document.getText());
      if (proposed === undefined || proposed === shown) return;
      if (!document.isDirty) {
        this.#know(document.uri, proposed);
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: document.uri }]);
        return;
      }
      const edits = documentEdits(document, proposed);
      if (edits === undefined || edits.length === 0) return;
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, edits);
      this.#gave(document.uri, proposed);
      // Refused when the person has typed since: then there is a newer text to start from.
      await vscode.workspace.applyEdit(edit);
    }
  }
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
