import * as vscode from 'vscode';
import type { Spot } from '../../../../window/pending/change-order.ts';
import type { PendingPlace, PendingUris } from '../pending-uris.ts';

/** Where the person is, with the last line of what is selected. */
export interface EditorSpot extends Spot {
  /** 0-based, included; the line of the cursor where nothing is selected. */
  readonly to: number;
  /** Absent: what is open there is no text, or its side of a diff is empty. */
  readonly editor: vscode.TextEditor | undefined;
}

/** Where the person is in the active editor; `undefined`: in none that could have pending changes. */
export function editorSpot(uris: PendingUris): EditorSpot | undefined {
  const tab: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const editor = editorMeant(uris, tab);
  const place = editor && uris.read(editor.document.uri);
  if (editor === undefined || place === undefined) {
    const shown = shownIn(uris, tab);
    return shown && { ...shown, line: 0, to: 0, editor: undefined };
  }
  const { start, end, isEmpty } = editor.selection;
  // A selection of whole lines ends at the beginning of the next one.
  const to = !isEmpty && end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { ...place, line: start.line, to, editor };
}

/**
 * The active editor; while the person writes a comment or reads an output, the one that is behind it: what
 * they mean is where its cursor is, not its first line.
 */
function editorMeant(uris: PendingUris, tab: unknown): vscode.TextEditor | undefined {
  const { activeTextEditor: active, tabGroups, visibleTextEditors } = vscode.window;
  if (active === undefined || uris.read(active.document.uri) !== undefined) return active;
  const shown =
    tab instanceof vscode.TabInputTextDiff
      ? tab.modified
      : tab instanceof vscode.TabInputText
        ? tab.uri
        : undefined;
  const behind = visibleTextEditors.find(
    ({ document, viewColumn }) =>
      document.uri.toString() === shown?.toString() &&
      viewColumn === tabGroups.activeTabGroup.viewColumn,
  );
  return behind ?? active;
}

/** The place that a tab without a text editor shows: an image, the diff of a deleted file. */
function shownIn(uris: PendingUris, tab: unknown): PendingPlace | undefined {
  if (tab instanceof vscode.TabInputTextDiff)
    return uris.read(tab.modified) ?? uris.read(tab.original);
  if (tab instanceof vscode.TabInputText || tab instanceof vscode.TabInputCustom)
    return uris.read(tab.uri);
  return tab instanceof vscode.TabInputNotebook ? uris.read(tab.uri) : undefined;
}

/** True when the person looks at a diff of pending changes: then the next change opens in one as well. */
export function isInDiff(uris: PendingUris): boolean {
  const tab: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(tab instanceof vscode.TabInputTextDiff)) return false;
  return [tab.original, tab.modified].some(({ scheme }) => scheme === uris.baselineScheme);
}
