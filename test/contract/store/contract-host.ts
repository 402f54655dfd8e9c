import { BelayError } from '../../../src/domain/failure.ts';
import type { Store } from '../../../src/store/store.ts';

/** What the contract needs of a store; `reopen` closes it and opens it again on the same data. */
export type StoreSubject = Pick<
  Store,
  'recorder' | 'transcripts' | 'channels' | 'runs' | 'leases' | 'usage' | 'blobs' | 'ids' | 'values'
>;

export interface ContractHost {
  readonly store: StoreSubject;
  reopen(): Promise<StoreSubject>;
  close(): Promise<void>;
}

/** What is at hand in a contract's tests. */
export type Subjects = () => { readonly host: ContractHost; readonly store: StoreSubject };

export const refusedBy = (code: string) => (error: unknown) =>
  error instanceof BelayError && error.code === code;
