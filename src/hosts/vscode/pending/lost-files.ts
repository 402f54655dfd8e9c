import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import type { LostFile } from '../../../core/review/storage/lost-changes.ts';
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
    const files = this.#reviews.records.lost.take();
    const changed = namesOf(files, 'changed');
    const proposed = namesOf(files, 'proposal');
    if (changed !== '')
      void vscode.window.showInformationMessage(
        l10n.t(
          'Another program changed {0}. Pending changes there are no longer listed; the text stays.',
          changed,
        ),
      );
    if (proposed !== '')
      void vscode.window.showInformationMessage(
        l10n.t('Edits of {0} that an earlier build had never written are dropped.', proposed),
      );
  }
}

function namesOf(files: readonly LostFile[], why: LostFile['why']): string {
  const names = files
    .filter((file) => file.why === why)
    .map(({ path }) => vscode.workspace.asRelativePath(path));
  const more = names.length > MAX_NAMED ? ', …' : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}
