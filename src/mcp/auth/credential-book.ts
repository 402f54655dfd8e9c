/** One authorization server's credentials, as text for a secret storage. */
export interface IssuerCredentials {
  readonly client?: string;
  readonly tokens?: string;
}

/** VS Code's secret storage; a map in tests. */
export interface CredentialStorage {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

/**
 * A server's credentials by issuer: one issuer's are never shown to another, and dropped when the
 * server moves to another (security, rule 10).
 */
export class CredentialBook {
  readonly #storage: CredentialStorage;
  readonly #key: string;

  /** `server`: the hash of its definition; another definition has nothing of this one. */
  constructor(storage: CredentialStorage, server: string) {
    this.#storage = storage;
    this.#key = `belay.mcp.credentials.${server}`;
  }

  /** This very issuer's; compared as exact texts. */
  async of(issuer: string): Promise<IssuerCredentials> {
    const kept = await this.#read();
    return kept?.issuer === issuer ? kept.credentials : {};
  }

  /** Keeps what an issuer gave beside what it gave before; what another one gave is dropped. */
  async keep(issuer: string, credentials: IssuerCredentials): Promise<void> {
    const known = await this.of(issuer);
    const value = JSON.stringify({ issuer, credentials: { ...known, ...credentials } });
    await this.#storage.store(this.#key, value);
  }

  /** The server names its issuer now: when it is another one, nothing of the old one stays. */
  async movedTo(issuer: string): Promise<void> {
    const kept = await this.#read();
    if (kept !== undefined && kept.issuer !== issuer) await this.forget();
  }

  async forget(): Promise<void> {
    await this.#storage.delete(this.#key);
  }

  async #read(): Promise<{ issuer: string; credentials: IssuerCredentials } | undefined> {
    const text = await this.#storage.get(this.#key);
    if (text === undefined) return undefined;
    try {
      const { issuer, credentials } = JSON.parse(text) as {
        issuer?: unknown;
        credentials?: IssuerCredentials;
      };
      return typeof issuer === 'string' ? { issuer, credentials: credentials ?? {} } : undefined;
    } catch {
      return undefined;
    }
  }
}
