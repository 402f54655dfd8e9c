import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { EditorLanguage } from '../../src/hosts/vscode/language/language.ts';
import { LANGUAGE_FILES, languageContract } from '../contract/language/language-contract.ts';

/** The TypeScript project of the contract, in the folder that is open. */
async function writeProject(): Promise<string> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = path.join(root, 'language');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(LANGUAGE_FILES))
    await writeFile(path.join(folder, name), text);
  return folder;
}

describe('the TypeScript server through the Language port', function () {
  this.timeout(60_000);
  const language = new EditorLanguage();
  languageContract(async () => ({ language, folder: await writeProject() }));
  after(() => language.dispose());
});
