import { told } from '../../../domain/text/told.ts';
import * as vscode from 'vscode';
import { fault, saidBy } from '../../../domain/failure.ts';
import { heard } from '../../../window/language-patience.ts';

/** Milliseconds in which VS Code should have noticed that a file on disk is another one. */
const NOTICED_WITHIN = 3000;

/**
 * The document of a file, as the file is now: one in no editor follows the disk a moment late, and what a
 * server says until then is about the old text.
 */
export async function currentDocument(
  path: string,
  signal: AbortSignal,
  waitMs = NOTICED_WITHIN,
): Promise<vscode.TextDocument> {
  const document = await opened(path);
  if (!(await isCurrent(document)))
    await heard(Math.min(waitMs, NOTICED_WITHIN), (done) => whenCurrent(document, done), signal);
  return document;
}

async function opened(path: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.file(path);
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    const there = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    throw there
      ? fault(
          'tool',
          told`The editor cannot open ${path} as text (${saidBy(error)}), so nothing is known of it.`,
        )
      : fault('not_found', told`${path} does not exist. Look for it with find_files.`);
  }
}

/** True when the text is the file's, or what the person is typing. */
export async function isCurrent(document: vscode.TextDocument): Promise<boolean> {
  if (document.isDirty) return true;
  try {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return plain(text) === plain(document.getText());
  } catch {
    // Gone, or not readable as this encoding: the document is all there is.
    return true;
  }
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/u, '').replaceAll(/\r\n?/gu, '\n');
}

/** Calls back when the document has become what the file is. */
function whenCurrent(document: vscode.TextDocument, done: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(async (event) => {
    if (event.document === document && (await isCurrent(document))) done();
  });
}

/** The person's tab of a file; some servers look at no others. */
export function tabOf(uri: vscode.Uri): vscode.Tab | undefined {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .find(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
}
