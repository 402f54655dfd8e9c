import * as vscode from 'vscode';
import type { ActionRequest, CodeAction } from '../../../core/ports/editor/language.ts';
import { fileChanges } from './convert.ts';
import { currentDocument, tabOf } from './documents.ts';
import { heard, within } from '../../../window/language-patience.ts';
import type { Readiness } from './readiness.ts';

/** Actions whose effect is computed; more are hardly ever offered for one place. */
const RESOLVED = 40;
/** Milliseconds in which servers should have published about a file that is in a tab. */
const PUBLISHED_WITHIN = 3000;

/**
 * Actions the editor offers at a place. Quick fixes belong to published diagnostics, which some servers give to tabs
 * only.
 */
export async function actionsAt(
  { path, line, column, endLine, endColumn, kind, waitMs }: ActionRequest,
  ready: Readiness,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const document = await currentDocument(path, signal);
  const range = new vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
  await ready.of(document, signal);
  const tab = needsDiagnostics(kind) ? await openTab(document.uri, signal) : undefined;
  try {
    const offered =
      (await within(
        waitMs,
        vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[] | undefined>(
          'vscode.executeCodeActionProvider',
          document.uri,
          range,
          ...(kind === undefined ? [undefined] : [kind]),
          RESOLVED,
        ),
        signal,
      )) ?? [];
    return offered.map(actionOf).filter(doesSomething);
  } finally {
    if (tab !== undefined) await vscode.window.tabGroups.close(tab, true);
  }
}

function needsDiagnostics(kind: string | undefined): boolean {
  return kind === undefined || /^(?:quickfix|source\.fixAll|source$)/u.test(kind);
}

/** A tab behind the one in front, closed afterwards; none when the person has the file in one. */
async function openTab(uri: vscode.Uri, signal: AbortSignal): Promise<vscode.Tab | undefined> {
  if (tabOf(uri) !== undefined) return undefined;
  const told = (done: () => void): vscode.Disposable =>
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((one) => one.toString() === uri.toString())) done();
    });
  const options = { background: true, preview: false, preserveFocus: true };
  await Promise.all([
    heard(PUBLISHED_WITHIN, told, signal),
    vscode.commands.executeCommand('vscode.open', uri, options),
  ]);
  return tabOf(uri);
}

function actionOf(offered: vscode.CodeAction | vscode.Command): CodeAction {
  if (typeof offered.command === 'string')
    return { title: offered.title, kind: '', preferred: false, command: offered.command };
  const { title, kind, isPreferred, edit, command, disabled } = offered as vscode.CodeAction;
  const changes = edit === undefined ? undefined : fileChanges(edit);
  return {
    title,
    kind: kind?.value ?? '',
    preferred: isPreferred === true,
    ...(changes === undefined || changes.length === 0 ? {} : { changes }),
    ...(command === undefined ? {} : { command: command.command }),
    ...(disabled === undefined ? {} : { disabled: disabled.reason }),
  };
}

/** Some are offered whatever the file is like, and turn out to change nothing. */
function doesSomething({ changes, command, disabled }: CodeAction): boolean {
  return changes !== undefined || command !== undefined || disabled !== undefined;
}
