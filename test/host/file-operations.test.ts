import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { NodeFileOperations } from '../../src/hosts/node/files/file-operations.ts';
import { DocumentFileOperations } from '../../src/hosts/vscode/files/document-file-operations.ts';
import { eventually } from './eventually.ts';

describe('renaming and removing in a window', () => {
  let folder: string;
  let operations: DocumentFileOperations;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay-operations-')));
    operations = new DocumentFileOperations(new NodeFileOperations(path.join(folder, 'kept')));
    await mkdir(path.join(folder, 'src'));
    await writeFile(path.join(folder, 'src', 'a.txt'), 'one\n');
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });

  const openAndType = async (): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument(path.join(folder, 'src', 'a.txt'));
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'unsaved ');
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    return document;
  };

  it('open editors follow to the new name of a folder, with what is not saved', async () => {
    await openAndType();
    await operations.rename(path.join(folder, 'src'), path.join(folder, 'lib'));
    await eventually('the editor has the new name', () =>
      vscode.workspace.textDocuments.some(
        (one) =>
          one.uri.fsPath === path.join(folder, 'lib', 'a.txt') &&
          one.getText() === 'unsaved one\n' &&
          one.isDirty,
      ),
    );
    assert.equal(await readFile(path.join(folder, 'lib', 'a.txt'), 'utf8'), 'one\n');
  });

  it('replaces nothing, also when an editor is open', async () => {
    await openAndType();
    await mkdir(path.join(folder, 'lib'));
    await assert.rejects(operations.rename(path.join(folder, 'src'), path.join(folder, 'lib')), {
      code: 'invalid',
    });
    assert.equal((await stat(path.join(folder, 'src', 'a.txt'))).isFile(), true);
  });

  it('removes nothing that has unsaved changes; else to where it can be brought back', async () => {
    await openAndType();
    const src = path.join(folder, 'src');
    await assert.rejects(operations.remove(src), /has unsaved changes in an editor/u);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    const removed = await operations.remove(src);
    await assert.rejects(stat(src));
    if (removed.to === 'kept')
      assert.equal(await readFile(path.join(removed.path, 'a.txt'), 'utf8'), 'one\n');
  });
});
