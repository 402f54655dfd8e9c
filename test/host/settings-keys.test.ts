import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { misplacedKeys, moveKeys } from '../../src/window/keys/misplaced-key.ts';
import { userSettings } from '../../src/hosts/vscode/secrets/settings-keys.ts';
import { eventually } from './eventually.ts';

const { Global } = vscode.ConfigurationTarget;
const KEY = 'sk-ant-api03-host-test-0123456789';

describe('keys in the settings file', () => {
  afterEach(async () => {
    await vscode.workspace.getConfiguration('belay').update('model.name', undefined, Global);
  });

  it('rule 9: are found in the person’s own file, kept first and then taken out', async () => {
    assert.deepEqual(misplacedKeys(userSettings()), []);
    await vscode.workspace.getConfiguration('belay').update('model.name', KEY, Global);
    const found = await eventually('the key is found', () => {
      const keys = misplacedKeys(userSettings());
      return keys.length > 0 && keys;
    });
    assert.deepEqual(found, [{ key: 'model.name', value: KEY, usable: true }]);
    const kept: string[] = [];
    await moveKeys(misplacedKeys(userSettings()), {
      ask: async () => true,
      store: async (value) => void kept.push(value),
      hasKey: async () => false,
      remove: async (key) =>
        vscode.workspace.getConfiguration('belay').update(key, undefined, Global),
      told: () => undefined,
    });
    assert.deepEqual(kept, [KEY]);
    await eventually('the key is gone', () => misplacedKeys(userSettings()).length === 0);
  });
});
