import { type AllowedHosts, hostMatches, originOf } from './request-guard.ts';

/** The person's patterns; asked for each time, because they may change. */
export interface HostLists {
  readonly always: () => readonly string[];
  /** Hosts that are never contacted. */
  readonly never: () => readonly string[];
}

/** Yeses of a session to hosts, as origins (`originOf`). */
export interface HostYeses {
  readonly contacted: readonly string[];
  readonly believed: readonly string[];
}

/** The person's yeses by session, until the window ends: two questions, so two memories. */
export class HostMemory {
  readonly #lists: HostLists;
  readonly #unattended: boolean;
  readonly #contacted = new Map<string, Set<string>>();
  readonly #believed = new Map<string, Set<string>>();

  /** @param unattended nobody can be asked: what the person's own list allows may also be read */
  constructor(lists: HostLists, unattended = false) {
    this.#lists = lists;
    this.#unattended = unattended;
  }

  allowed(sessionId: string): AllowedHosts {
    return {
      always: this.#lists.always(),
      never: this.#lists.never(),
      session: this.#contacted.get(sessionId) ?? new Set(),
    };
  }

  yeses(sessionId: string): HostYeses {
    return {
      contacted: [...(this.#contacted.get(sessionId) ?? [])],
      believed: [...(this.#believed.get(sessionId) ?? [])],
    };
  }

  /** Those that were given to another process. */
  take(sessionId: string, { contacted, believed }: HostYeses): void {
    for (const one of contacted) setOf(this.#contacted, sessionId).add(one);
    for (const one of believed) setOf(this.#believed, sessionId).add(one);
  }

  contacted(sessionId: string, url: URL): void {
    setOf(this.#contacted, sessionId).add(originOf(url));
  }

  /** The person said that what the host sends may be read by the model. */
  believed(sessionId: string, url: URL): void {
    setOf(this.#believed, sessionId).add(originOf(url));
  }

  /** @param isNamed the person named the host in a setting, for what is asked there */
  isBelieved(sessionId: string, url: URL, isNamed = false): boolean {
    const named = isNamed || this.#lists.always().some((pattern) => hostMatches(pattern, url));
    if (this.#unattended && named) return true;
    return this.#believed.get(sessionId)?.has(originOf(url)) === true;
  }
}

function setOf(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key) ?? new Set<string>();
  map.set(key, known);
  return known;
}
