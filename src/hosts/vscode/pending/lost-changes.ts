import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** Milliseconds in which lost changes are collected: a checkout of another branch changes many files. */
const COLLECT_MS = 500;

/** Files that the message names. */
const MAX_NAMED = 5;

/** Shows a message when another program changed files so that their pending changes are no longer known. */
export class LostChanges implements Disposable {
  readonly #listening: Disposable;
  readonly #paths = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(reviews: Pick<Reviews, 'records'>) {
    this.#listening = reviews.records.lost.listen((path) => {
      this.#paths.add(path);
      this.#timer ??= setTimeout(() => this.#show(), COLLECT_MS);
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
  }

  #show(): void {
    this.#timer = undefined;
    const names = [...this.#paths].map((path) => vscode.workspace.asRelativePath(path));
    this.#paths.clear();
    const more = names.length > MAX_NAMED ? ', …' : '';
    const message = l10n.t(
      'Another program changed {0}. Pending changes there are no longer listed; the text stays.',
      `${names.slice(0, MAX_NAMED).join(', ')}${more}`,
    );
    void vscode.window.showInformationMessage(message);
  }
}
