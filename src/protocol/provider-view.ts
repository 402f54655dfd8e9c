/** A provider of models as its page shows it. */
export interface ProviderRow {
  readonly id: string;
  readonly name: string;
  /** Its host. */
  readonly host: string;
  /** The API that is spoken there, for people. */
  readonly api: string;
  /** Models that are offered. */
  readonly models: number;
  readonly key: 'stored' | 'environment' | 'none' | 'unneeded';
  /** Found when it was last tried in this window; `null`: it was not. */
  readonly check: { readonly works: boolean; readonly said: string } | null;
  /** The person added it, and can remove it. */
  readonly added: boolean;
}

export interface ProvidersView {
  readonly rows: readonly ProviderRow[];
  /** Entries of the setting that are passed over, a sentence each. */
  readonly problems: readonly string[];
}

export const PROVIDER_ACTIONS = [
  'add',
  'check',
  'edit',
  'remove',
  'remove_key',
  'set_key',
] as const;
export type ProviderAction = (typeof PROVIDER_ACTIONS)[number];
