import assert from 'node:assert/strict';
import path from 'node:path';
import { dataFolder } from '../../../src/window/startup/data-folder.ts';

const id = '0f8a1c22b7d94e5f8a6b3c1d2e4f5a6b';
const folder = (name: string): string =>
  path.join('/home/me/workspaceStorage', name, 'belay.belay');

describe('the folder of a workspace’s sessions', () => {
  it('is the one VS Code gives', () => {
    assert.equal(dataFolder(folder(id)), folder(id));
    assert.equal(dataFolder(folder('1732300000123')), folder('1732300000123'));
    assert.equal(dataFolder(folder('ext-dev')), folder('ext-dev'));
    // In a browser, ids are hashes with a sign.
    assert.equal(dataFolder(folder('-277062cc')), folder('-277062cc'));
    assert.equal(dataFolder(folder('-2')), folder('-2'));
  });

  it('is the same for the second and the third window of the workspace', () => {
    assert.equal(dataFolder(folder(`${id}-1`)), folder(id));
    assert.equal(dataFolder(folder(`${id}-9`)), folder(id));
    assert.equal(dataFolder(folder('-277062cc-1')), folder('-277062cc'));
    assert.equal(dataFolder(folder('1732300000123-2')), folder('1732300000123'));
  });

  it('is never that of another workspace, whatever ids an editor makes', () => {
    for (const name of ['project-1', 'ext-dev-1', `${id}-10`, `${id}-0`, `${id}-1-1`, '-1'])
      assert.equal(dataFolder(folder(name)), folder(name));
  });
});
