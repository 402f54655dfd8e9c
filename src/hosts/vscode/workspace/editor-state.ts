import * as vscode from 'vscode';
import type { SeenFiles } from '../../../core/context/prompt/environment.ts';

/** The person's view: open editors, the selection, the problems of the file in front. */
export function editorState(): SeenFiles {
  const active = vscode.window.activeTextEditor;
  const editors = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .toSorted((left, right) => Number(right.isActive) - Number(left.isActive))
    .flatMap((tab) =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === 'file'
        ? [{ file: tab.input.uri.fsPath, name: nameOf(tab.input.uri) }]
        : [],
    );
  if (active?.document.uri.scheme !== 'file') return { editors };
  const { selection, document } = active;
  const file = document.uri.fsPath;
  const name = nameOf(document.uri);
  const lines = vscode.languages
    .getDiagnostics(document.uri)
    .filter((problem) => problem.severity <= vscode.DiagnosticSeverity.Warning)
    .map((problem) => `${name}:${problem.range.start.line + 1}: ${problem.message}`);
  return {
    editors,
    diagnostics: { file, lines },
    ...(selection.isEmpty
      ? {}
      : {
          selection: {
            file,
            path: name,
            fromLine: selection.start.line + 1,
            toLine: selection.end.line + 1,
            text: document.getText(selection),
          },
        }),
  };
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
}

/** The files the person looks at, absolute: the instructions of their folders count. */
export function activeFiles(): string[] {
  return vscode.window.visibleTextEditors
    .map(({ document }) => document.uri)
    .filter((uri) => uri.scheme === 'file')
    .map((uri) => uri.fsPath);
}
