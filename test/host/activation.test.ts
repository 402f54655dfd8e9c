import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/hosts/vscode/manifest/commands.ts';

const belay = (): vscode.Extension<unknown> => {
  const extension = vscode.extensions.getExtension('belay.belay');
  assert.ok(extension, 'belay.belay is not there');
  return extension;
};

describe('the extension in a real VS Code', () => {
  it('is not active before it is used', () => {
    assert.equal(belay().isActive, false);
  });

  it('activates on the first use and registers every command of its table', async () => {
    const from = performance.now();
    await vscode.commands.executeCommand('belay.showLog');
    console.log(`activation and first command: ${Math.round(performance.now() - from)} ms`);
    assert.equal(belay().isActive, true);
    const registered = new Set(await vscode.commands.getCommands(true));
    for (const command of Object.keys(COMMANDS)) {
      assert.ok(registered.has(command), `${command} is declared but not registered`);
    }
    const ours = [...registered].filter((command) => /^belay\.[a-zA-Z]+$/.test(command));
    assert.deepEqual(ours.toSorted(), Object.keys(COMMANDS).toSorted());
  });

  it('A14: a command without anything to act on says so and fails nobody', async () => {
    for (const command of [
      'belay.acceptChange',
      'belay.showPending',
      'belay.stop',
      'belay.compact',
    ]) {
      await vscode.commands.executeCommand(command);
    }
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('shows the panel, settings and walkthrough', async () => {
    for (const command of ['belay.focusPanel', 'belay.openSettings', 'belay.openWalkthrough']) {
      await vscode.commands.executeCommand(command);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
