import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { BASE_SCHEME } from '../../../manifest/context-key-names.ts';
import type { StoredEdit } from '../../../panel/cards/stored-edits.ts';
import { ShownTexts } from '../files/shown-texts.ts';

/** Diffs of what finished calls did, for reading. */
export class FinishedEdits implements Disposable {
  readonly #texts = new ShownTexts(BASE_SCHEME);

  /** One file as a diff, several in one editor. */
  async show(callId: string, edits: readonly StoredEdit[]): Promise<void> {
    const sides = edits.map((edit) => {
      // The name tells the language.
      const at = path.join('/', edit.path);
      const before = this.#texts.add(at, `${callId}-before`, edit.before);
      return { before, after: this.#texts.add(at, `${callId}-after`, edit.after) };
    });
    const [first] = sides;
    const [{ path: name } = { path: '' }] = edits;
    if (first === undefined) return;
    if (sides.length === 1)
      await vscode.commands.executeCommand(
        'vscode.diff',
        first.before,
        first.after,
        l10n.t('{0}: edit by Belay', path.basename(name)),
        { preview: false },
      );
    else
      await vscode.commands.executeCommand(
        'vscode.changes',
        l10n.t('{0} files: edit by Belay', sides.length),
        sides.map(({ before, after }) => [after, before, after]),
      );
  }

  dispose(): void {
    this.#texts.dispose();
  }
}
