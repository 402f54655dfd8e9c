import { channelContract } from './channel-contract.ts';
import type { ContractHost, StoreSubject } from './contract-host.ts';
import { contentContract } from './content-contract.ts';
import { recorderContract } from './recorder-contract.ts';
import { runContract } from './run-contract.ts';
import { sessionContract } from './session-contract.ts';
import { PATIENCE } from './support.ts';

/** Every implementation of the store's ports passes these. */
export function storeContract(name: string, start: () => Promise<ContractHost>): void {
  describe(`contract of the store's ports: ${name}`, function () {
    this.timeout(PATIENCE);
    let host: ContractHost;
    let store: StoreSubject;
    beforeEach(async () => {
      host = await start();
      store = host.store;
    });
    afterEach(() => host.close());

    recorderContract(() => ({ host, store }));
    sessionContract(() => ({ host, store }));
    channelContract(() => ({ host, store }));
    runContract(() => ({ host, store }));
    contentContract(() => ({ host, store }));
  });
}
