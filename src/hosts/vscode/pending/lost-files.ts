import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** Milliseconds in which lost changes are collected: a checkout of another branch changes many files. */
const COLLECT_MS = 500;

/** Files that the message names. */
const MAX_NAMED = 5;

/** Tells once of files whose pending changes are no longer listed, also of those that were lost before the window. */
export class LostFiles implements Disposable {
  readonly #reviews: Pick<Reviews, 'records'>;
  readonly #listening: Disposable;
  #timer: NodeJS.Timeout | undefined;

  constructor(reviews: Pick<Reviews, 'records'>) {
    this.#reviews = reviews;
    const later = (): void => void (this.#timer ??= setTimeout(() => this.#show(), COLLECT_MS));
    this.#listening = reviews.records.lost.onChange(later);
    later();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
  }

  #show(): void {
    this.#timer = undefined;
    const paths = this.#reviews.records.lost.take();
    if (paths.length === 0) return;
    void vscode.window.showInformationMessage(
      l10n.t(
        'Another program changed {0}. Pending changes there are no longer listed; the text stays.',
        listNames(paths),
      ),
    );
  }
}

function listNames(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map((path) => vscode.workspace.asRelativePath(path));
  return `${names.join(', ')}${paths.length > MAX_NAMED ? ', …' : ''}`;
}
