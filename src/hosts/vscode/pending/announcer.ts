import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** Milliseconds that a sentence stays: long enough to be read, short enough not to be taken for a state. */
const SHOWN_FOR = 10_000;

/** Says what was just done in the status bar; screen readers read it aloud without the focus moving there. */
export class Announcer implements Disposable {
  readonly #item = vscode.window.createStatusBarItem(
    'belay.change',
    vscode.StatusBarAlignment.Left,
    -1000,
  );
  #timer: NodeJS.Timeout | undefined;
  #last = '';

  constructor() {
    this.#item.name = l10n.t('Belay: Pending Changes');
  }

  /** The sentence that was said last. */
  get last(): string {
    return this.#last;
  }

  say(text: string): void {
    this.#last = text;
    this.#item.text = text;
    // A live region.
    this.#item.accessibilityInformation = { label: text, role: 'status' };
    this.#item.show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#item.hide(), SHOWN_FOR);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
  }
}
