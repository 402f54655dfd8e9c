/** A server that a workspace defines, as the person is asked about it. */
export interface ServerToStart {
  readonly name: string;
  /** Of the whole definition: another one is asked about again. */
  readonly hash: string;
  /** The program or address. */
  readonly summary: string;
}

export interface ConsentParts {
  readonly trusted: () => boolean;
  /** Hashes of definitions that the person said yes to, kept with the workspace. */
  readonly given: () => readonly string[];
  readonly keep: (hashes: readonly string[]) => Promise<void>;
  /** Shows the whole definition; the button that does nothing is the one at hand. */
  readonly ask: (server: ServerToStart) => Promise<boolean>;
}

/** The yes to a workspace's MCP servers (security, rules 2 and 5), once a definition. */
export class ServerConsent {
  readonly #parts: ConsentParts;
  /** Definitions that were declined in this window. */
  readonly #declined = new Set<string>();

  constructor(parts: ConsentParts) {
    this.#parts = parts;
  }

  readonly mayStart = async (server: ServerToStart): Promise<boolean> => {
    const { trusted, given, keep, ask } = this.#parts;
    if (!trusted() || this.#declined.has(server.hash)) return false;
    if (given().includes(server.hash)) return true;
    if (!(await ask(server))) {
      this.#declined.add(server.hash);
      return false;
    }
    // Trust may have been taken back while the person read.
    if (!trusted()) return false;
    await keep([...given(), server.hash]);
    return true;
  };

  /** The person has seen a definition whole and said yes elsewhere. */
  async allow(hash: string): Promise<void> {
    const { given, keep } = this.#parts;
    this.#declined.delete(hash);
    if (!given().includes(hash)) await keep([...given(), hash]);
  }

  isGiven(hash: string): boolean {
    return this.#parts.given().includes(hash);
  }

  /** Takes a yes back: it is asked about again. */
  async withdraw(hash: string): Promise<void> {
    await this.#parts.keep(this.#parts.given().filter((one) => one !== hash));
  }

  /** Asks again about what was declined in this window. */
  reconsider(): void {
    this.#declined.clear();
  }
}
