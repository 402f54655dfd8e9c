import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { LightStart } from '../../src/hosts/vscode/startup/light-start.ts';
import { COMMANDS } from '../../src/manifest/commands.ts';
import { INTERNAL_COMMANDS } from '../../src/manifest/internal-commands.ts';

const belay = (): vscode.Extension<unknown> => {
  const extension = vscode.extensions.getExtension('belay.belay');
  assert.ok(extension, 'belay.belay is not there');
  return extension;
};

describe('the extension in a real VS Code', () => {
  it('C8: is awake once VS Code has started, in a light step; with nothing waiting it loads nothing more', async () => {
    while (!belay().isActive) await new Promise((resolve) => setTimeout(resolve, 20));
    const light = belay().exports as LightStart;
    console.log(`light step: ${light.milliseconds.toFixed(1)} ms, ${light.bytes} bytes`);
    assert.deepEqual([light.waits, light.isLoaded()], [false, false]);
    assert.ok(light.bytes <= 2 * 1024 * 1024, `${light.bytes} bytes`);
  });

  it('the first use loads the rest; every command of its table is registered', async () => {
    const from = performance.now();
    await vscode.commands.executeCommand('belay.showLog');
    console.log(`activation and first command: ${Math.round(performance.now() - from)} ms`);
    assert.equal((belay().exports as LightStart).isLoaded(), true);
    const registered = new Set(await vscode.commands.getCommands(true));
    const ids = Object.keys({ ...COMMANDS, ...INTERNAL_COMMANDS });
    for (const command of ids) {
      assert.ok(registered.has(command), `${command} is declared but not registered`);
    }
    const ours = [...registered].filter((command) => /^belay\.[a-zA-Z]+$/.test(command));
    assert.deepEqual(ours.toSorted(), ids.toSorted());
  });

  it('A14: a command without anything to act on says so and fails nobody', async () => {
    for (const command of [
      'belay.keepChange',
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
