import type { Json } from '../../../domain/data/json.ts';

/** Durable values: drafts of the input, options of a session, the journal, pending changes. At most 64 MB each. */
export interface Values {
  get(key: string, sessionId?: string): Promise<Json | undefined>;
  /** `null` removes it. To change it together with other records, commit a `value` write. */
  set(key: string, value: Json, sessionId?: string): Promise<void>;
  /** Keys that start with `prefix`, in order. */
  list(
    prefix: string,
    sessionId?: string,
  ): Promise<readonly { readonly key: string; readonly value: Json }[]>;
}
