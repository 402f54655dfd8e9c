import { open, temporaryFolder } from './support.ts';
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { storeContract } from './store-contract.ts';

const onFile = (options: Parameters<typeof open>[1]) => async () => {
  const folder = temporaryFolder();
  let store = await open(folder.path, options);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await open(folder.path, options);
      return store;
    },
    close: async () => {
      await store.close();
      folder.remove();
    },
  };
};

storeContract('SQLite in a worker thread', onFile({}));
storeContract('SQLite where the folder refuses a write-ahead log', onFile({ vfs: 'unix-dotfile' }));

describe('the files of the store', () => {
  it('can be read by the user alone', async function () {
    if (process.platform === 'win32') this.skip();
    const parent = temporaryFolder();
    const folder = path.join(parent.path, 'data');
    const store = await open(folder);
    const modeOf = (file: string): number => statSync(file).mode & 0o777;
    assert.equal(modeOf(folder), 0o700);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    const names = files
      .filter((one) => one.isFile())
      .map((one) => path.join(one.parentPath, one.name));
    assert.ok(
      names.some((name) => name.endsWith('.db')),
      names.join(),
    );
    for (const name of names) assert.equal(modeOf(name), 0o600, name);
    await store.close();
    parent.remove();
  });
});
