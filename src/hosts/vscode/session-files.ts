import * as vscode from 'vscode';
import { BelayError } from '../../domain/failure.ts';

/** Sessions as JSON Lines (D8); the host only chooses the files. */
export interface SessionTransfer {
  /** Lossless, secrets masked. */
  exportSession(sessionId: string): Promise<string>;
  /** Gives the id of the new session. Fails with `invalid` and the line that is damaged. */
  importSession(text: string): Promise<string>;
}

/** Bytes of a file that is taken for a session at most. */
const LIMIT = 512 * 1024 * 1024;

const FILTERS = { 'Belay sessions': ['jsonl'], 'All files': ['*'] };

/** Asks where to, and writes the session there. `false` when the person gave up. */
export async function exportToFile(
  transfer: SessionTransfer,
  session: { readonly id: string; readonly title: string },
): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileName(session.title)}.belay.jsonl`;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Session',
    filters: FILTERS,
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return false;
  const text = await transfer.exportSession(session.id);
  await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  void vscode.window
    .showInformationMessage(`The session was exported to ${target.fsPath}.`, 'Open')
    .then((chosen) =>
      chosen === undefined ? undefined : vscode.commands.executeCommand('vscode.open', target),
    );
  return true;
}

/** Asks which file, and imports it. The new session's id; `undefined` when the person gave up. */
export async function importFromFile(transfer: SessionTransfer): Promise<string | undefined> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: 'Import Session',
      openLabel: 'Import',
      filters: FILTERS,
    })) ?? [];
  if (source === undefined) return undefined;
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > LIMIT) {
    throw new BelayError({
      code: 'invalid',
      message: `${source.fsPath} is too large for a session. Nothing was imported.`,
    });
  }
  const bytes = await vscode.workspace.fs.readFile(source);
  return transfer.importSession(Buffer.from(bytes).toString('utf8'));
}

/** A title as a file name on every system. */
export function fileName(title: string): string {
  const plain = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60);
  return plain === '' ? 'session' : plain;
}
