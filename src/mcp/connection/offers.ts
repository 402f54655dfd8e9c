import {
  type Client,
  type CompleteRequest,
  type CompleteResult,
  type GetPromptResult,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type McpSubscription,
  type ReadResourceResult,
} from '@modelcontextprotocol/client';
import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import type { ServerLog } from '../status/server-log.ts';
import { allPages, requestTimeout } from './pages.ts';

/** Lists: their methods, their capabilities, and the names of their entries. */
const KINDS = {
  resources: { method: 'resources/list', of: 'resources', key: 'uri' },
  templates: { method: 'resources/templates/list', of: 'resources', key: 'uriTemplate' },
  prompts: { method: 'prompts/list', of: 'prompts', key: 'name' },
} as const;

/** A server's offers beside tools, on both eras of the protocol. All reject with the SDK's errors. */
export class Offers {
  readonly #client: Client;
  readonly #log: ServerLog;
  /** On the newer revisions each watched resource has a stream of its own. */
  readonly #subscriptions = new Map<string, McpSubscription>();
  #level: LoggingLevel | undefined;
  /** Grows when the server says that its prompts or resources are others: lists that were read before are out of date. */
  version = 0;

  constructor(client: Client, log: ServerLog) {
    this.#client = client;
    this.#log = log;
  }

  get #isModern(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  /** Goes with each request on the newer revisions: the server keeps nothing. */
  get meta(): Readonly<Record<string, unknown>> | undefined {
    return this.#isModern && this.#level !== undefined
      ? { [LOG_LEVEL_META_KEY]: this.#level }
      : undefined;
  }

  /** As they came; entries without what they are called by are left out. */
  async list(kind: keyof typeof KINDS, signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const { method, of, key } = KINDS[kind];
    if (this.#client.getServerCapabilities()?.[of] === undefined) return [];
    const found = await allPages(this.#client, method, this.#log, signal);
    return found.filter(isJsonObject).filter((one) => typeof one[key] === 'string');
  }

  async read(uri: string, signal?: AbortSignal): Promise<ReadResourceResult> {
    return this.#client.readResource({ uri, ...this.#withMeta() }, this.#options(signal));
  }

  async prompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<GetPromptResult> {
    const params = { name, arguments: { ...args }, ...this.#withMeta() };
    return this.#client.getPrompt(params, this.#options(signal));
  }

  async complete(params: CompleteRequest['params'], signal?: AbortSignal): Promise<CompleteResult> {
    return this.#client.complete(params, this.#options(signal));
  }

  async subscribe(uri: string): Promise<void> {
    if (!this.#isModern) {
      await this.#client.subscribeResource({ uri }, this.#options());
      return;
    }
    if (this.#subscriptions.has(uri)) return;
    const opened = await this.#client.listen({ resourceSubscriptions: [uri] }, this.#options());
    this.#subscriptions.set(uri, opened);
    void opened.closed.then(() => this.#subscriptions.delete(uri));
  }

  async unsubscribe(uri: string): Promise<void> {
    if (!this.#isModern) await this.#client.unsubscribeResource({ uri }, this.#options());
    await this.#subscriptions.get(uri)?.close();
  }

  async setLevel(level: LoggingLevel): Promise<void> {
    this.#level = level;
    if (!this.#isModern) await this.#client.setLoggingLevel(level, this.#options());
  }

  /** The newer revisions ask for the folders when they need them. */
  async rootsChanged(): Promise<void> {
    if (!this.#isModern) await this.#client.sendRootsListChanged();
  }

  async ping(): Promise<void> {
    await (this.#isModern
      ? this.#client.discover(this.#options())
      : this.#client.ping(this.#options()));
  }

  #withMeta(): { _meta?: Record<string, unknown> } {
    return this.meta === undefined ? {} : { _meta: this.meta };
  }

  #options(signal?: AbortSignal): { timeout: number; signal?: AbortSignal } {
    return { timeout: requestTimeout, ...(signal === undefined ? {} : { signal }) };
  }
}
