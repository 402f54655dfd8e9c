import * as vscode from 'vscode';
import type { FilePlace } from '../../../panel/input/sources/file-place.ts';

/** Characters of files that are looked through. */
const LONGEST_FILE = 2_000_000;

/** The place that several lines of code were copied from: the selection, or the one place in the open files that has them. */
export function placeOfCode(code: string): FilePlace | undefined {
  const text = code.replaceAll('\r\n', '\n').replace(/\n$/u, '');
  if (!text.includes('\n')) return undefined;
  for (const { document, selection } of vscode.window.visibleTextEditors)
    if (document.uri.scheme === 'file' && plain(document.getText(selection)) === text)
      return placeAt(document, selection.start.line, text);
  let found: FilePlace | undefined;
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme !== 'file') continue;
    const all = document.getText();
    if (all.length > LONGEST_FILE) continue;
    const whole = all.replaceAll('\r\n', '\n');
    const at = whole.indexOf(text);
    if (at < 0) continue;
    if (found !== undefined || whole.includes(text, at + 1)) return undefined;
    found = placeAt(document, whole.slice(0, at).split('\n').length - 1, text);
  }
  return found;
}

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/\n$/u, '');
}

/** @param line 0-based */
function placeAt(document: vscode.TextDocument, line: number, text: string): FilePlace {
  const from = line + 1;
  return { path: document.uri.fsPath, lines: { from, to: from + text.split('\n').length - 1 } };
}
