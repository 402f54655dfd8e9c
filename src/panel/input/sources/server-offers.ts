import type {
  CompleteRequest,
  GetPromptResult,
  ReadResourceResult,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../../core/ports/clock.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { connectionOf } from '../../../mcp/connection/connection-of.ts';
import type { McpHub } from '../../../mcp/hub.ts';

/** Milliseconds after which a list is asked for again: servers may add to it while somebody types. */
const FRESH = 10_000;
/** Entries of one list that are looked through. */
const MOST = 2000;
const LONGEST = 300;

type Kind = 'resources' | 'templates' | 'prompts';

/** An entry of a server's list. */
export interface Offered {
  readonly server: string;
  readonly entry: JsonObject;
}

/** The resources and prompts of the MCP servers that are ready. */
export class ServerOffers {
  readonly #hub: Pick<McpHub, 'servers' | 'server'>;
  readonly #clock: Clock;
  readonly #lists = new Map<
    string,
    {
      readonly at: number;
      readonly version: number;
      readonly list: Promise<readonly JsonObject[]>;
    }
  >();

  constructor(hub: Pick<McpHub, 'servers' | 'server'>, clock: Clock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  get names(): readonly string[] {
    return this.#hub.servers().flatMap(({ name, state }) => (state === 'ready' ? [name] : []));
  }

  /** Of all servers; one that does not answer has none. */
  async list(kind: Kind): Promise<readonly Offered[]> {
    const lists = await Promise.all(
      this.names.map(async (server) => {
        const entries = await this.#list(server, kind).catch(() => []);
        return entries.slice(0, MOST).map((entry) => ({ server, entry }));
      }),
    );
    return lists.flat();
  }

  read(server: string, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return connectionOf(this.#hub, server).use(async (offers) => offers.read(uri, signal), signal);
  }

  prompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return connectionOf(this.#hub, server).use(
      async (offers) => offers.prompt(name, args, signal),
      signal,
    );
  }

  /** Values that a server suggests; none where it cannot. */
  async complete(
    server: string,
    params: CompleteRequest['params'],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    try {
      const { completion } = await connectionOf(this.#hub, server).use(
        async (offers) => offers.complete(params, signal),
        signal,
      );
      return completion.values.filter((value) => value === makeVisible(value));
    } catch {
      return [];
    }
  }

  #list(server: string, kind: Kind): Promise<readonly JsonObject[]> {
    const key = `${kind} ${server}`;
    const known = this.#lists.get(key);
    const now = this.#clock.monotonic();
    const version = connectionOf(this.#hub, server).session?.offers.version ?? 0;
    // The server says when its lists are others.
    if (known?.version === version && now - known.at < FRESH) return known.list;
    const { signal } = new AbortController();
    const list = connectionOf(this.#hub, server).use(
      async (offers) => offers.list(kind, signal),
      signal,
    );
    this.#lists.set(key, { at: now, version, list });
    list.catch(() => this.#lists.delete(key));
    return list;
  }
}

/** A field of an entry; empty where it is no text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A stranger's word for a row: short, on one line, with what is invisible in sight. */
export function shortWord(value: unknown): string {
  return makeVisible(textIn(value).replaceAll(/\s+/gu, ' ').trim()).slice(0, LONGEST);
}
