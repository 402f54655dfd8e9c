import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { proposedAt } from '../../../../core/review/model/file-review.ts';
import { hunksOf } from '../../../../core/review/model/hunks.ts';
import { formOf } from '../../../../core/review/model/proposed-bytes.ts';
import type { PendingReview, Reviews, Selected } from '../../../../core/review/service/reviews.ts';
import { fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import { openDocument } from '../../files/open-document.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { ChangeFeed } from '../../../../window/pending/change-feed.ts';
import { lineOf } from '../../../../window/pending/change-order.ts';
import type { PendingUris } from '../pending-uris.ts';

export interface DiffEditorsParts {
  readonly reviews: Reviews;
  readonly uris: PendingUris;
  readonly feed: ChangeFeed;
  readonly onError: (error: unknown) => void;
}

export interface ShowOptions {
  /** Of the document, 0-based. */
  readonly line?: number;
  readonly preserveFocus?: boolean;
  /** In the next group: what is in this one stays to be seen. */
  readonly beside?: boolean;
}

/** The two sides of a file's diff; an absent one is not there. */
interface Sides {
  readonly original: vscode.Uri | undefined;
  readonly modified: vscode.Uri | undefined;
}

/** Diff editors of pending changes; they close when nothing is left to decide. */
export class DiffEditors implements Disposable {
  readonly #parts: DiffEditorsParts;
  readonly #lifetime = new Lifetime();
  #closing = Promise.resolve();

  constructor(parts: DiffEditorsParts) {
    this.#parts = parts;
    this.#lifetime.add(parts.feed.onChange(() => this.#closeSettled()));
    // A tab that could not be closed, because it did not know yet that it is saved; or one that VS Code brings back.
    this.#lifetime.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        if ([...opened, ...changed].some((tab) => this.#isSettled(tab))) this.#closeSettled();
      }),
    );
    // Tabs of a window that was reloaded, whose changes were decided in another one.
    this.#closeSettled();
  }

  /**
   * Shows the pending changes of one file.
   * @throws BelayError `not_found` when nothing is pending there any more
   */
  async open({ kind, path: file }: Selected, options: ShowOptions = {}): Promise<void> {
    const review = this.#parts.reviews.find(kind, file);
    if (review === undefined)
      throw fault('not_found', told`Nothing is pending in ${path.basename(file)} any more.`);
    const { preserveFocus = false, beside = false } = options;
    // At a change, so that the buttons in the title mean one.
    const line = options.line ?? lineOf({ review, hunk: hunksOf(review)[0] }, 'document');
    const selection = { selection: new vscode.Range(line, 0, line, 0) };
    const viewColumn = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    // An edit that a call waits for stays when another file is opened.
    const shown = { preview: kind !== 'asked', preserveFocus, ...selection, viewColumn };
    const isBinary = review.baseline.kind === 'binary' || review.document.kind === 'binary';
    const { original, modified } = this.#sides({ kind, review });
    // Nothing is on disk of it: VS Code shows pictures beside each other, and of other data says that it is none.
    if (isBinary && kind === 'proposed') {
      const only =
        original === undefined ? modified : modified === undefined ? original : undefined;
      const title = titleOf({ kind, review });
      if (only !== undefined)
        await vscode.commands.executeCommand('vscode.open', only, shown, title);
      else await vscode.commands.executeCommand('vscode.diff', original, modified, title, shown);
      return;
    }
    if (isBinary) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), shown);
      return;
    }
    const nothing = this.#parts.uris.nothingAt(file);
    await vscode.commands.executeCommand(
      'vscode.diff',
      original ?? nothing,
      modified ?? nothing,
      titleOf({ kind, review }),
      shown,
    );
    // Decided while it was being opened.
    this.#closeSettled();
  }

  /** Shows the pending changes of several files in one editor. Default: of all. */
  async openAll(
    selected: readonly Selected[] = [],
    title = l10n.t('Belay: Pending Changes'),
  ): Promise<void> {
    const wanted = new Set(selected.map(({ kind, path: file }) => `${kind} ${file}`));
    const pending = this.#parts.reviews.decidable.filter(
      ({ kind, review }) => wanted.size === 0 || wanted.has(`${kind} ${review.path}`),
    );
    if (pending.length === 0) throw fault('not_found', told`No changes are pending.`);
    const resources = pending.map((one) => {
      const { original, modified } = this.#sides(one);
      return [vscode.Uri.file(one.review.path), original, modified];
    });
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #sides({ kind, review }: PendingReview): Sides {
    const { uris } = this.#parts;
    const place = { kind, path: review.path };
    const document = review.document.kind === 'absent' ? undefined : uris.documentOf(place);
    if (review.baseline.kind === 'absent') return { original: undefined, modified: document };
    const original =
      kind === 'proposed' ? vscode.Uri.file(proposedAt(review)) : uris.baselineOf(place);
    return { original, modified: document };
  }

  #closeSettled(): void {
    this.#closing = this.#closing.then(() => this.#close()).catch(this.#parts.onError);
  }

  async #close(): Promise<void> {
    for (const tab of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
      if (!this.#isSettled(tab)) continue;
      await this.#saveProposal(tab);
      // VS Code would ask about it. One that was saved just now tells so in a moment, and is closed then.
      if (tab.isDirty) continue;
      try {
        await vscode.window.tabGroups.close(tab, true);
      } catch (error) {
        // The person was quicker.
        if (vscode.window.tabGroups.all.some((group) => group.tabs.includes(tab))) throw error;
      }
    }
  }

  /** Saves a proposal, whose typed text is in the decision already. */
  async #saveProposal({ input }: vscode.Tab): Promise<void> {
    const uri =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : input instanceof vscode.TabInputText
          ? input.uri
          : undefined;
    if (uri?.scheme !== this.#parts.uris.proposalScheme) return;
    // Of a tab that VS Code has just brought back with unsaved text, extensions do not know the document yet.
    const document =
      openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri).then(same, nothing));
    // Also one that is not known to have unsaved text: what was typed just now is told late.
    await document?.save();
  }

  /** A tab of ours about a file of which nothing is pending. */
  #isSettled({ input }: vscode.Tab): boolean {
    const { proposalScheme, baselineScheme } = this.#parts.uris;
    if (input instanceof vscode.TabInputText)
      return input.uri.scheme === proposalScheme && this.#isSettledAt(input.uri);
    if (!(input instanceof vscode.TabInputTextDiff)) return false;
    const { original, modified } = input;
    const schemes = [baselineScheme, proposalScheme];
    if (![original.scheme, modified.scheme].some((scheme) => schemes.includes(scheme)))
      return false;
    if (modified.scheme === 'file' || modified.scheme === proposalScheme)
      return this.#isSettledAt(modified);
    // Deleted: there is no right side. The left one tells the file; of a proposal it is the file itself.
    if (original.scheme !== 'file') return this.#isSettledAt(original);
    const { fsPath } = modified.with({ scheme: 'file', query: '' });
    return this.#parts.reviews.find('proposed', fsPath) === undefined;
  }

  #isSettledAt(uri: vscode.Uri): boolean {
    const { uris, reviews } = this.#parts;
    const place = uris.read(uri);
    return place === undefined || reviews.find(place.kind, place.path) === undefined;
  }
}

const same = (document: vscode.TextDocument): vscode.TextDocument => document;
const nothing = (): undefined => undefined;

function titleOf({ kind, review }: PendingReview): string {
  const name = path.basename(review.path);
  const names =
    review.renamedFrom === undefined ? name : `${path.basename(review.renamedFrom)} → ${name}`;
  const what = formOf(review, hunksOf(review));
  const isOnlyName = review.renamedFrom !== undefined && hunksOf(review).length === 0;
  const words =
    what ??
    (review.document.kind === 'absent'
      ? l10n.t('deleted')
      : isOnlyName
        ? l10n.t('only the name changes')
        : null);
  const whose =
    kind === 'written' ? l10n.t('Belay: Pending Changes') : l10n.t('Belay: Proposed Changes');
  return `${names} (${whose}${words === null ? '' : `, ${words}`})`;
}
