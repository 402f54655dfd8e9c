import { open, temporaryFolder } from './support.ts';
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
