import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { EditorEncodings } from '../../src/hosts/vscode/files/editor-encodings.ts';

describe('the encodings of the editor', () => {
  const encodings = new EditorEncodings();
  const setting = vscode.workspace.getConfiguration('files');

  afterEach(async () => {
    await setting.update('encoding', undefined, vscode.ConfigurationTarget.Global);
  });

  it('are those of the settings, and read and write what they say', async () => {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay-encodings-')));
    try {
      const file = path.join(folder, 'a.txt');
      await writeFile(file, Buffer.from([0xd0, 0xd2, 0xcf]));
      assert.equal(encodings.encodingOf(file), undefined);
      await setting.update('encoding', 'koi8r', vscode.ConfigurationTarget.Global);
      assert.equal(encodings.encodingOf(file), 'koi8r');
      assert.equal(await encodings.decode(Buffer.from([0xd0, 0xd2, 0xcf]), 'koi8r'), 'про');
      assert.deepEqual([...(await encodings.encode('про', 'koi8r'))], [0xd0, 0xd2, 0xcf]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
