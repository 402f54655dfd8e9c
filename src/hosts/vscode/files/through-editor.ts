import * as vscode from 'vscode';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';

/**
 * Renames a file or folder through VS Code: open editors, with unsaved changes too, follow to the new name.
 * @throws BelayError `tool` when VS Code does not do it; then nothing was changed
 */
export async function renameThroughEditor(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to), { overwrite: false });
  if (await vscode.workspace.applyEdit(edit)) return;
  throw fault(
    'tool',
    told`${from} could not be renamed to ${to} in the editor. Nothing was changed.`,
  );
}

/**
 * Moves a file or folder to the trash, and tells the open editors.
 * @returns `false`: there is no trash on this machine, or for this file; nothing was changed
 */
export async function movedToTrash(file: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(file), { recursive: true, useTrash: true });
    return true;
  } catch {
    return false;
  }
}
