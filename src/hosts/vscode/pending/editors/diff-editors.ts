import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { hunksOf } from '../../../../core/review/model/hunks.ts';
import { describeBinary } from '../../../../core/review/model/binary-words.ts';
import { fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import { lineOf } from '../../../../window/pending/change-order.ts';
import type { PendingParts } from '../pending-parts.ts';

export interface ShowOptions {
  /** Of the document, 0-based. */
  readonly line?: number;
  readonly preserveFocus?: boolean;
}

/** The two sides of a file's diff; an absent one is not there. */
interface Sides {
  readonly original: vscode.Uri | undefined;
  readonly modified: vscode.Uri | undefined;
}

/** Diff editors of pending changes; they close when nothing is left to decide. */
export class DiffEditors implements Disposable {
  readonly #parts: PendingParts;
  readonly #lifetime = new Lifetime();
  #closing = Promise.resolve();

  constructor(parts: PendingParts) {
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
  async open(file: string, options: ShowOptions = {}): Promise<void> {
    const review = this.#parts.reviews.find(file);
    if (review === undefined)
      throw fault('not_found', told`Nothing is pending in ${path.basename(file)} any more.`);
    const { preserveFocus = false } = options;
    // At a change, so that the buttons in the title mean one.
    const line = options.line ?? lineOf({ review, hunk: hunksOf(review)[0] }, 'document');
    const selection = new vscode.Range(line, 0, line, 0);
    const shown = { preview: true, preserveFocus, selection };
    if (review.baseline.kind === 'binary' || review.document.kind === 'binary') {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), shown);
      return;
    }
    const { original, modified } = this.#sides(review);
    const nothing = this.#parts.uris.nothingAt(file);
    await vscode.commands.executeCommand(
      'vscode.diff',
      original ?? nothing,
      modified ?? nothing,
      titleOf(review),
      shown,
    );
    // Decided while it was being opened.
    this.#closeSettled();
  }

  /** Shows the pending changes of several files in one editor. Default: of all. */
  async openAll(
    paths: readonly string[] = [],
    title = l10n.t('Belay: Pending Changes'),
  ): Promise<void> {
    const wanted = new Set(paths);
    const pending = this.#parts.reviews.pending.filter(
      (review) => wanted.size === 0 || wanted.has(review.path),
    );
    if (pending.length === 0) throw fault('not_found', told`No changes are pending.`);
    const resources = pending.map((review) => {
      const { original, modified } = this.#sides(review);
      return [vscode.Uri.file(review.path), original, modified];
    });
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #sides({ path: file, baseline, document }: FileReview): Sides {
    return {
      original: baseline.kind === 'absent' ? undefined : this.#parts.uris.baselineOf(file),
      modified: document.kind === 'absent' ? undefined : vscode.Uri.file(file),
    };
  }

  #closeSettled(): void {
    this.#closing = this.#closing.then(() => this.#close()).catch(this.#parts.onError);
  }

  async #close(): Promise<void> {
    for (const tab of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
      if (!this.#isSettled(tab)) continue;
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

  /** A diff of ours about a file of which nothing is pending. */
  #isSettled({ input }: vscode.Tab): boolean {
    if (!(input instanceof vscode.TabInputTextDiff)) return false;
    const { uris, reviews } = this.#parts;
    const { original, modified } = input;
    const ours = [original, modified].find(({ scheme }) => scheme === uris.baselineScheme);
    if (ours === undefined) return false;
    const place = uris.read(modified) ?? uris.read(original);
    return place === undefined || reviews.find(place.path) === undefined;
  }
}

function titleOf(review: FileReview): string {
  const name = path.basename(review.path);
  const names =
    review.renamedFrom === undefined ? name : `${path.basename(review.renamedFrom)} → ${name}`;
  const isOnlyName = review.renamedFrom !== undefined && hunksOf(review).length === 0;
  const words =
    describeBinary(review) ||
    (review.document.kind === 'absent'
      ? l10n.t('deleted')
      : isOnlyName
        ? l10n.t('only the name changes')
        : '');
  return `${names} (${l10n.t('Belay: Pending Changes')}${words === '' ? '' : `, ${words}`})`;
}
