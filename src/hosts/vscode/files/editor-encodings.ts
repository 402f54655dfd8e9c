import * as vscode from 'vscode';
import type { TextEncodings } from '../../../core/ports/files/text-encodings.ts';

/** The setting `files.encoding`, of the folder and the language of each file. */
export class EditorEncodings implements TextEncodings {
  encodingOf(file: string): string | undefined {
    const uri = vscode.Uri.file(file);
    const open = vscode.workspace.textDocuments.find(
      (one) => one.uri.toString() === uri.toString(),
    );
    const encoding =
      open?.encoding ?? vscode.workspace.getConfiguration('files', uri).get<string>('encoding');
    return encoding === undefined || encoding === 'utf8' || encoding === 'utf8bom'
      ? undefined
      : encoding;
  }

  async decode(bytes: Uint8Array, encoding: string): Promise<string> {
    return vscode.workspace.decode(bytes, { encoding });
  }

  async encode(text: string, encoding: string): Promise<Uint8Array> {
    return vscode.workspace.encode(text, { encoding });
  }
}
