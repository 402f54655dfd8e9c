import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';

/** Writes an export where the user chose. On a disk of this machine a new file is readable by the user alone. */
export async function writeExport(target: vscode.Uri, text: string): Promise<void> {
  if (target.scheme === 'file') await writeFile(target.fsPath, text, { mode: 0o600 });
  else await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}
