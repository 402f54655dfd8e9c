import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import type { Reviews } from '../../../../core/review/service/reviews.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import type { ChangeFeed } from '../../../../window/pending/change-feed.ts';
import type { PendingUris } from '../pending-uris.ts';
import { proposalLines } from '../../../../window/pending/proposal-lines.ts';
import { changesShownIn } from '../editors/shown-changes.ts';

export interface ProposalMarksParts {
  readonly reviews: Pick<Reviews, 'find' | 'decidable'>;
  readonly uris: PendingUris;
  readonly feed: ChangeFeed;
}

/** How marks look; the two belong to one theme. */
interface Looks extends Disposable {
  readonly going: vscode.TextEditorDecorationType;
  readonly coming: vscode.TextEditorDecorationType;
}

/**
 * Proposals in the open files that they are for: lines that would go are tinted, and what would come stands
 * beside them. Buttons are those of `ChangeLenses`, the whole text that of `ChangeHovers`.
 */
export class ProposalMarks implements Disposable {
  readonly #parts: ProposalMarksParts;
  readonly #lifetime = new Lifetime();
  #looks: Looks;

  constructor(parts: ProposalMarksParts) {
    this.#parts = parts;
    this.#looks = looksOf(vscode.window.activeColorTheme);
    const all = (): void => vscode.window.visibleTextEditors.forEach((one) => this.#mark(one));
    this.#lifetime.add(parts.feed.onChange(all));
    this.#lifetime.add(vscode.window.onDidChangeVisibleTextEditors(all));
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabs(all));
    this.#lifetime.add(
      vscode.window.onDidChangeActiveColorTheme((theme) => {
        this.#looks.dispose();
        this.#looks = looksOf(theme);
        all();
      }),
    );
    all();
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#looks.dispose();
  }

  #mark(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme !== 'file') return;
    const shown = isInDiff(editor) ? [] : changesShownIn(editor.document.uri, this.#parts);
    const marks = shown
      .filter(({ side }) => side === 'baseline')
      .map(({ review }) => proposalLines(review));
    editor.setDecorations(
      this.#looks.going,
      marks.flatMap(({ going }) =>
        going.map(({ from, to }) => new vscode.Range(from, 0, to - 1, 0)),
      ),
    );
    editor.setDecorations(
      this.#looks.coming,
      marks.flatMap(({ coming }) =>
        coming.map(({ line, text }) => {
          const at = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range
            .end;
          // Blanks of a content are one blank; those that do not break stay.
          const contentText = text.replaceAll(' ', '\u00A0');
          return { range: new vscode.Range(at, at), renderOptions: { after: { contentText } } };
        }),
      ),
    );
  }
}

/** A side of a diff shows by itself what goes and comes. */
function isInDiff({ document, viewColumn }: vscode.TextEditor): boolean {
  const group = vscode.window.tabGroups.all.find((one) => one.viewColumn === viewColumn);
  const input: unknown = group?.activeTab?.input;
  return (
    input instanceof vscode.TabInputTextDiff &&
    [input.original, input.modified].some((uri) => uri.toString() === document.uri.toString())
  );
}

function looksOf({ kind }: vscode.ColorTheme): Looks {
  const color = (id: string): vscode.ThemeColor => new vscode.ThemeColor(id);
  const isHighContrast =
    kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
  // These themes have no tints.
  const edge = isHighContrast
    ? { border: '1px dashed', borderColor: color('contrastBorder'), textDecoration: 'line-through' }
    : { backgroundColor: color('diffEditor.removedLineBackground') };
  const going = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    ...edge,
    overviewRulerColor: color('editorOverviewRuler.modifiedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const coming = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: color('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    after: {
      margin: '0 0 0 2ch',
      color: color('editor.foreground'),
      // Not on the tint of what goes: green on red is neither.
      backgroundColor: color('editor.background'),
      border: '1px solid',
      borderColor: color(isHighContrast ? 'contrastActiveBorder' : 'editorGutter.addedBackground'),
    },
  });
  return {
    going,
    coming,
    dispose: () => {
      going.dispose();
      coming.dispose();
    },
  };
}
