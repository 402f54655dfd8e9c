import * as vscode from 'vscode';
import { nameOf } from '../../../domain/paths.ts';
import type { FailedTest, ToldProblem } from '../../../window/asks/ask-texts.ts';
import type { FilePlace } from '../../../panel/input/sources/file-place.ts';

/** Files of one mention command: a whole tree that was selected by mistake is not taken. */
export const MOST_FILES = 20;

/** A place in a file and the problems there. */
export interface MeantPlace {
  readonly uri: vscode.Uri;
  readonly place: FilePlace;
  readonly problems: readonly ToldProblem[];
}

/** The place of a code action, else of the cursor or the selection in the editor in front; `undefined`: there is none. */
export function placeMeant(given: unknown): MeantPlace | undefined {
  if (isGiven(given)) {
    const { uri, range, diagnostics } = given;
    const [first = range, ...others] = diagnostics.map((one) => one.range);
    return meant(
      uri,
      others.reduce((whole, one) => whole.union(one), first),
      diagnostics,
    );
  }
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') return undefined;
  const { document, selection } = editor;
  const here = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range, severity }) => severity <= WARNING && selection.intersection(range));
  return meant(document.uri, selection, here);
}

const WARNING = vscode.DiagnosticSeverity.Warning;

function meant(
  uri: vscode.Uri,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): MeantPlace {
  const problems = diagnostics.map((one) => ({
    line: one.range.start.line + 1,
    message: one.message,
    rule: ruleOf(one),
  }));
  return { uri, place: { path: uri.fsPath, lines: linesOf(range) }, problems };
}

/** 1-based; a selection that ends before the first character of a line does not mean that line. */
function linesOf({ start, end }: vscode.Range): { readonly from: number; readonly to: number } {
  const isBefore = end.character === 0 && end.line > start.line;
  return { from: start.line + 1, to: isBefore ? end.line : end.line + 1 };
}

function ruleOf({ source = '', code }: vscode.Diagnostic): string {
  const value = typeof code === 'object' ? code.value : code;
  return [source, String(value ?? '')].filter((one) => one !== '').join(' ');
}

/** The files of a menu in the explorer or of a tab, else the selection or the file in front. */
export function filesMeant(clicked: unknown, selected: unknown): readonly FilePlace[] {
  const uris = Array.isArray(selected) && selected.length > 0 ? selected : [clicked];
  const files = uris.filter((one) => one instanceof vscode.Uri && one.scheme === 'file');
  const isEditor = files.length === 1 && !Array.isArray(selected);
  const editor = vscode.window.activeTextEditor;
  const inFront = editor?.document.uri;
  const [only] = files as vscode.Uri[];
  // In an editor's own menu the file is clicked, and what is selected in it is meant.
  const isInFront = only === undefined || (isEditor && only.toString() === inFront?.toString());
  if (isInFront && editor !== undefined && inFront?.scheme === 'file')
    return [
      {
        path: inFront.fsPath,
        ...(editor.selection.isEmpty ? {} : { lines: linesOf(editor.selection) }),
      },
    ];
  return (files as vscode.Uri[]).map(({ fsPath }) => ({ path: fsPath }));
}

/** A failed test of the menu of a message, or of a test; `undefined`: it is neither. */
export function testMeant(
  given: unknown,
): { readonly test: FailedTest; readonly place: FilePlace | undefined } | undefined {
  const { test, message } = isMessageArgument(given) ? given : { test: given, message: undefined };
  if (!isTest(test)) return undefined;
  const names = [test.label];
  for (let at = test.parent; at !== undefined; at = at.parent) names.unshift(at.label);
  const at = message?.location ?? test;
  const { uri = test.uri, range = test.range } = at;
  const line = range?.start.line;
  const shown = uri === undefined ? '' : vscode.workspace.asRelativePath(uri);
  const { message: said = '' } = message ?? {};
  return {
    test: {
      name: names.join(' › '),
      place: shown === '' || line === undefined ? shown : `${shown}:${line + 1}`,
      message: typeof said === 'string' ? said : said.value,
      expected: message?.expectedOutput,
      actual: message?.actualOutput,
    },
    place: uri?.scheme === 'file' ? { path: uri.fsPath } : undefined,
  };
}

/** How a file is called for people. */
export const calledFile = (uri: vscode.Uri): string =>
  vscode.workspace.getWorkspaceFolder(uri) === undefined
    ? nameOf(uri.fsPath)
    : vscode.workspace.asRelativePath(uri);

interface GivenPlace {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

function isGiven(value: unknown): value is GivenPlace {
  if (typeof value !== 'object' || value === null || !('diagnostics' in value)) return false;
  const { uri, range, diagnostics } = value as Partial<GivenPlace>;
  return (
    uri instanceof vscode.Uri &&
    uri.scheme === 'file' &&
    range instanceof vscode.Range &&
    Array.isArray(diagnostics)
  );
}

interface MessageArgument {
  readonly test: unknown;
  readonly message: vscode.TestMessage;
}

function isMessageArgument(value: unknown): value is MessageArgument {
  return (
    typeof value === 'object' &&
    value !== null &&
    'test' in value &&
    isMessage((value as MessageArgument).message)
  );
}

const isMessage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'message' in value;

/** Of other extensions VS Code gives a copy, which is no instance of anything. */
function isTest(value: unknown): value is vscode.TestItem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'label' in value &&
    typeof value.label === 'string'
  );
}
