import * as vscode from 'vscode';
import type { EnvironmentSnapshot } from '../../core/context/environment.ts';

/** What the person looks at: open editors, the selection, the problems of the file in front. */
export function editorState(): Pick<EnvironmentSnapshot, 'editors' | 'selection' | 'diagnostics'> {
  const active = vscode.window.activeTextEditor;
  const editors = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .toSorted((left, right) => Number(right.isActive) - Number(left.isActive))
    .flatMap((tab) =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === 'file'
        ? [nameOf(tab.input.uri)]
        : [],
    );
  if (active?.document.uri.scheme !== 'file') return { editors };
  const name = nameOf(active.document.uri);
  const { selection } = active;
  const diagnostics = vscode.languages
    .getDiagnostics(active.document.uri)
    .filter((problem) => problem.severity <= vscode.DiagnosticSeverity.Warning)
    .map((problem) => `${name}:${problem.range.start.line + 1}: ${problem.message}`);
  return {
    editors,
    diagnostics,
    ...(selection.isEmpty
      ? {}
      : {
          selection: {
            path: name,
            fromLine: selection.start.line + 1,
            toLine: selection.end.line + 1,
            text: active.document.getText(selection),
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
