import assert from 'node:assert/strict';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { windowCode } from '../../src/hosts/vscode/code/code-blocks.ts';
import type { PanelCode } from '../../src/panel/services.ts';
import { eventually } from './eventually.ts';
import { PendingKit } from './pending-kit.ts';

describe('code blocks of answers', function () {
  this.timeout(60_000);

  let kit: PendingKit;
  let code: PanelCode;

  before(async () => {
    kit = await PendingKit.open();
    const guard = {
      judge: async ({ path: real, access: way }: { path: string; access: 'read' | 'write' }) => ({
        path: real,
        real,
        access: way,
        place: 'inside' as const,
      }),
    };
    const links = {
      roots: () => [kit.folder],
      files: kit.agent,
      guard,
    };
    const store = { ids: { next: () => 'call-of-a-block' } };
    const engine = { files: kit.agent, guard, store } as never;
    code = windowCode({
      engine,
      encodings: undefined,
      links,
      diagrams: { open: async () => undefined, loadCode: async () => '' },
    });
  });
  after(async () => {
    for (const terminal of vscode.window.terminals)
      if (terminal.name === 'Belay: code') terminal.dispose();
    await kit.close();
  });

  it('come where the cursor is, and into a new editor with their language', async () => {
    await code.use('open', 'one two three', 'ts title=a.ts');
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor !== undefined);
    assert.equal(editor.document.languageId, 'typescript');
    assert.equal(editor.document.isUntitled, true);
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await code.use('insert', '$2 {x}\n', 'ts');
    assert.equal(editor.document.getText(), 'one $2 {x}\n three');
    await code.use('open', 'plain', 'no-such-language');
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'plain');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('stand at the prompt of a terminal and run only at Enter', async () => {
    const file = path.join(kit.folder, 'ran');
    const isThere = async (): Promise<boolean> =>
      access(file).then(
        () => true,
        () => false,
      );
    await code.use('terminal', `touch '${file}'\n`, 'bash');
    const terminal = vscode.window.terminals.find(({ name }) => name === 'Belay: code');
    assert.ok(terminal !== undefined);
    assert.equal(await isThere(), false);
    terminal.sendText('', true);
    await eventually('it runs at Enter', isThere);
    await vscode.env.clipboard.writeText('of the person');
    await code.use('terminal', `touch '${file}1'\ntouch '${file}2'`, 'bash');
    assert.equal(await vscode.env.clipboard.readText(), 'of the person');
    await new Promise((done) => setTimeout(done, 1000));
    assert.deepEqual(await readdir(kit.folder), ['ran']);
    terminal.sendText('', true);
    await eventually('both run at Enter', async () => (await readdir(kit.folder)).length === 3);
  });

  it('are written to a file as a pending change, and shown', async () => {
    await code.apply({
      text: 'export {};',
      info: 'ts src/new.ts',
      before: '',
      sessionId: 's',
      messageId: 'm',
    });
    const file = path.join(kit.folder, 'src/new.ts');
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
    assert.equal(kit.reviews.find(file)?.path, file);
  });
});
