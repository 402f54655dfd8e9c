import * as vscode from 'vscode';
import { hunksOf } from '../../../../core/review/model/hunks.ts';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { PendingParts } from '../pending-parts.ts';

/** Lines of a file to mark, 0-based. */
export interface MarkedLines {
  readonly added: readonly vscode.Range[];
  /** Lines with removed text directly above. */
  readonly removedAbove: readonly vscode.Range[];
  /** The last line, if text after it was removed. */
  readonly removedBelow: readonly vscode.Range[];
}

/** Colors pending changes in text editors. Diff editors have colors of their own and get none. */
export class ChangeMarks implements Disposable {
  readonly #parts: Pick<PendingParts, 'reviews' | 'feed'>;
  readonly #lifetime = new Lifetime();
  readonly #added = this.#create({
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
  });
  readonly #removedAbove = this.#createBorder('2px 0 0 0');
  readonly #removedBelow = this.#createBorder('0 0 2px 0');

  constructor(parts: Pick<PendingParts, 'reviews' | 'feed'>) {
    this.#parts = parts;
    const show = (): void => this.#show();
    this.#lifetime.add(parts.feed.onChange(show));
    this.#lifetime.add(vscode.window.onDidChangeVisibleTextEditors(show));
    // VS Code may report the tab of a new editor after the editor itself.
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabs(show));
    show();
  }

  /** Returns the lines to mark in an editor; none where the document is a side of a diff. */
  getMarks(editor: vscode.TextEditor): MarkedLines {
    const { document } = editor;
    const review = isPlainEditor(editor)
      ? this.#parts.reviews.find(document.uri.fsPath)
      : undefined;
    const hunks = review === undefined ? [] : hunksOf(review);
    const changed = hunks.filter(({ kind }) => kind === 'change' || kind === 'create');
    const removed = changed
      .filter((hunk) => hunk.removed.length > 0)
      .map((hunk) => hunk.documentFrom);
    const last = document.lineCount - 1;
    return {
      added: changed
        .filter(({ documentFrom, documentTo }) => documentTo > documentFrom)
        .map(({ documentFrom, documentTo }) => getLines(documentFrom, documentTo - 1)),
      removedAbove: removed.filter((line) => line <= last).map((line) => getLines(line, line)),
      removedBelow: removed.some((line) => line > last) ? [getLines(last, last)] : [],
    };
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #show(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { added, removedAbove, removedBelow } = this.getMarks(editor);
      editor.setDecorations(this.#added, added);
      editor.setDecorations(this.#removedAbove, removedAbove);
      editor.setDecorations(this.#removedBelow, removedBelow);
    }
  }

  /** Text that was removed has no line of its own: the hover on the marked line shows it. */
  #createBorder(borderWidth: string): vscode.TextEditorDecorationType {
    const borderColor = new vscode.ThemeColor('editorGutter.deletedBackground');
    return this.#create({ borderWidth, borderColor, borderStyle: 'solid' });
  }

  #create(options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType {
    const type = vscode.window.createTextEditorDecorationType({ isWholeLine: true, ...options });
    return this.#lifetime.add(type);
  }
}

/** Tells whether the editor is the whole of its tab: diff editors show the same document as one of their sides. */
function isPlainEditor({ document, viewColumn }: vscode.TextEditor): boolean {
  const group = vscode.window.tabGroups.all.find((one) => one.viewColumn === viewColumn);
  const input: unknown = group?.activeTab?.input;
  return (
    document.uri.scheme === 'file' &&
    input instanceof vscode.TabInputText &&
    input.uri.toString() === document.uri.toString()
  );
}

function getLines(from: number, to: number): vscode.Range {
  return new vscode.Range(from, 0, to, 0);
}
