import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/manifest/commands.ts';
import type { CommandDeclaration } from '../../src/manifest/commands.ts';
import { eventually } from './eventually.ts';

interface Binding {
  readonly key: string;
  readonly command: string;
}

/** The keys VS Code has without extensions of ours, as its own document lists them. */
async function defaultBindings(): Promise<readonly Binding[]> {
  await vscode.commands.executeCommand('workbench.action.openDefaultKeybindingsFile');
  const document = await eventually('the document of default keys', () => {
    const found = vscode.window.activeTextEditor?.document;
    return found?.uri.path.includes('keybindings') === true && found.lineCount > 100
      ? found
      : undefined;
  });
  const text = document.getText();
  const bindings: Binding[] = [];
  for (const match of text.matchAll(/"key":\s*"([^"]+)",\s*"command":\s*"([^"]+)"/g)) {
    bindings.push({ key: match[1] ?? '', command: match[2] ?? '' });
  }
  return bindings;
}

describe('keybindings', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('collide with nothing in VS Code’s defaults', async () => {
    const bindings = await defaultBindings();
    assert.ok(bindings.length > 500, `only ${bindings.length} bindings were read`);
    const ours = Object.values<CommandDeclaration>(COMMANDS).flatMap(({ key }) =>
      key === undefined ? [] : [key.keys],
    );
    assert.ok(ours.length > 0);
    const foreign = bindings.filter((binding) => !binding.command.startsWith('belay.'));
    const chords = new Set(foreign.flatMap(({ key }) => key.split(' ').slice(0, -1)));
    for (const key of ours) {
      const others = foreign.filter(
        (binding) =>
          // The same keys, or keys that are the beginning of the other's. VS Code itself has both
          // Ctrl+K and chords that begin with it.
          binding.key === key ||
          (key.startsWith(`${binding.key} `) && !chords.has(binding.key)) ||
          binding.key.startsWith(`${key} `),
      );
      assert.deepEqual(others, [], key);
    }
  });
});
