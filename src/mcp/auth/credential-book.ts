import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** One authorization server's credentials. */
export interface IssuerCredentials {
  readonly client?: StoredOAuthClientInformation | undefined;
  /** The address to come back to that the client is registered with. */
  readonly redirectUri?: string | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  /** The person was sent away to sign in, and has not been heard of since. */
  readonly begun?: boolean | undefined;
}

/** VS Code's secret storage; a map in tests. */
export interface CredentialStorage {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

interface Kept extends IssuerCredentials {
  readonly issuer: string;
  /** The server's origin for which they are. */
  readonly origin?: string | undefined;
}

/** Forgets when the process ends. */
export function credentialMemory(): CredentialStorage {
  const kept = new Map<string, string>();
  return {
    get: async (key) => Promise.resolve(kept.get(key)),
    store: async (key, value) => Promise.resolve(void kept.set(key, value)),
    delete: async (key) => Promise.resolve(void kept.delete(key)),
  };
}

/**
 * A server's credentials by issuer: one issuer's are never shown to another, and dropped when the
 * server moves to another (security, rule 10).
 */
export class CredentialBook {
  readonly #storage: CredentialStorage;
  readonly #key: string;
  #read: Promise<Kept | undefined> | undefined;
  #origin: string | undefined;

  /** `server`: the hash of its definition; another definition has nothing of this one. */
  constructor(storage: CredentialStorage, server: string) {
    this.#storage = storage;
    this.#key = `belay.mcp.credentials.${server}`;
  }

  /** Tells where the server is now: its definition may stay the same while a value in its address changes. */
  async at(server: string): Promise<void> {
    this.#origin = new URL(server).origin;
    const kept = await this.known();
    if (kept?.origin !== undefined && kept.origin !== this.#origin) await this.forget();
  }

  /** To be sent to the MCP server itself; absent: nobody signed in. */
  async token(): Promise<string | undefined> {
    return (await this.known())?.tokens?.access_token;
  }

  /** Whatever is kept, with its issuer. */
  async known(): Promise<Kept | undefined> {
    this.#read ??= this.#storage.get(this.#key).then(keptIn);
    return this.#read;
  }

  /** Reads again what another window may have kept. */
  async reload(): Promise<void> {
    this.#read = undefined;
    await this.known();
  }

  /** This very issuer's; compared as exact texts. */
  async of(issuer: string): Promise<IssuerCredentials> {
    const kept = await this.known();
    if (kept?.issuer !== issuer) return {};
    const { issuer: _issuer, origin: _origin, ...credentials } = kept;
    return credentials;
  }

  /** Keeps what an issuer gave beside what it gave before; what another one gave is dropped. */
  async keep(issuer: string, credentials: IssuerCredentials): Promise<void> {
    const kept = { issuer, origin: this.#origin, ...(await this.of(issuer)), ...credentials };
    await this.#storage.store(this.#key, JSON.stringify(kept));
    this.#read = Promise.resolve(kept);
  }

  /** The server names its issuer now: when it is another one, nothing of the old one stays. */
  async movedTo(issuer: string): Promise<void> {
    const kept = await this.known();
    if (kept !== undefined && kept.issuer !== issuer) await this.forget();
  }

  /** A sign-in that was begun has ended, well or not. */
  async ended(): Promise<void> {
    const kept = await this.known();
    if (kept?.begun === true) await this.keep(kept.issuer, { begun: undefined });
  }

  async forgetTokens(): Promise<void> {
    const kept = await this.known();
    if (kept !== undefined) await this.keep(kept.issuer, { tokens: undefined });
  }

  async forget(): Promise<void> {
    await this.#storage.delete(this.#key);
    this.#read = Promise.resolve(undefined);
  }
}

function keptIn(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined;
  try {
    const kept = JSON.parse(text) as Partial<Kept> | null;
    return typeof kept?.issuer === 'string' ? { ...kept, issuer: kept.issuer } : undefined;
  } catch {
    return undefined;
  }
}
