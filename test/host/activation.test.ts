import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in a real VS Code', () => {
  it('is installed and activates', async () => {
    const extension = vscode.extensions.getExtension('belay.belay');
    assert.ok(extension, 'belay.belay is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
