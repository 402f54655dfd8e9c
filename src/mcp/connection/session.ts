import type { CallToolResult, Client, Progress } from '@modelcontextprotocol/client';
import { throwIfAborted } from '../../domain/abort.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Era } from './era.ts';
import { type ListedTool, readTools } from '../tools/listed-tool.ts';
import { type CallProblem, callProblem } from './problem.ts';
import type { ServerLog } from '../status/server-log.ts';

/** Milliseconds: longer than any tool may run. The time limit of a call is kept by who asks, through the signal. */
const callTimeout = 24 * 60 * 60 * 1000;
/** Milliseconds for listing tools again and for opening a subscription. */
const requestTimeout = 30_000;
/** Pages of a list; a server whose list never ends is cut off there. */
const mostPages = 50;
/** Milliseconds before a subscription that ended is opened again. */
const subscribeAgain = 30_000;

export interface SessionParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: ServerLog;
  /** Frees what the transport needs beside the client; runs at `close`. */
  readonly release?: () => Promise<void>;
  /** The transport has a session that the server may have forgotten. */
  readonly hasServerSession?: () => boolean;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type CallAnswer = { readonly result: CallToolResult } | { readonly problem: CallProblem };

export class Session {
  readonly #parts: SessionParts;
  readonly #ended = new AbortController();
  #onToolsChanged: (() => void) | undefined;
  #changedEarly = false;

  /** The client is connected afterwards, so that no message is missed. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { client, log } = parts;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      if (this.#onToolsChanged === undefined) this.#changedEarly = true;
      else this.#onToolsChanged();
    });
    client.setNotificationHandler('notifications/message', ({ params }) => {
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
      log.add('server', `${params.level}: ${text}`);
    });
  }

  get era(): Era {
    return this.#parts.client.getProtocolEra() ?? 'legacy';
  }

  /** The revision both sides speak, as a date. */
  get revision(): string | undefined {
    return this.#parts.client.getNegotiatedProtocolVersion();
  }

  get server(): { readonly name: string; readonly version: string } | undefined {
    const server = this.#parts.client.getServerVersion();
    return server === undefined ? undefined : { name: server.name, version: server.version };
  }

  get hasServerSession(): boolean {
    return this.#parts.hasServerSession?.() === true;
  }

  /** Rejects with the SDK's errors. A tool that makes no sense is left out and logged. */
  async listTools(signal: AbortSignal): Promise<ListedTool[]> {
    const { client, log } = this.#parts;
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const found: unknown[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        anyResult,
        { signal, timeout: requestTimeout },
      );
      const { tools, nextCursor } = page as { tools?: unknown; nextCursor?: unknown };
      if (Array.isArray(tools)) found.push(...(tools as unknown[]));
      cursor = typeof nextCursor === 'string' && !seen.has(nextCursor) ? nextCursor : undefined;
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined && seen.size < mostPages);
    if (cursor !== undefined)
      log.add('belay', `The list of tools was cut after ${mostPages} pages.`);
    return readTools(found, (problem) => log.add('belay', problem));
  }

  /** Rejects only with an AbortError, when the signal fires. */
  async callTool(
    tool: ListedTool,
    input: Readonly<Record<string, unknown>>,
    { signal, onProgress }: CallOptions,
  ): Promise<CallAnswer> {
    try {
      const result = await this.#parts.client.callTool(
        { name: tool.name, arguments: { ...input } },
        {
          signal,
          timeout: callTimeout,
          onprogress: onProgress,
          // Without the output schema: a result that does not fit it still tells what happened.
          toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } },
        },
      );
      return { result };
    } catch (thrown) {
      // The SDK turns the reason of an abort into a text.
      throwIfAborted(signal);
      return { problem: callProblem(thrown) };
    }
  }

  /** Hears of changes of the list of tools until the session is closed, and of one that came before. */
  watchTools(onChanged: () => void): void {
    const { client, log } = this.#parts;
    this.#onToolsChanged = onChanged;
    if (this.#changedEarly) onChanged();
    const announces = client.getServerCapabilities()?.tools?.listChanged === true;
    if (this.era !== 'modern' || !announces) return;
    this.#subscribe(onChanged).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) log.add('belay', `No news of tools: ${String(error)}`);
    });
  }

  /** Never rejects. No process is left when it resolves. */
  async close(): Promise<void> {
    this.#ended.abort();
    const { client, release, log } = this.#parts;
    try {
      await release?.();
      await client.close();
    } catch (error) {
      log.add('belay', `While closing: ${String(error)}`);
    }
  }

  /** On the modern revisions a client asks for news, and asks again when the stream breaks. */
  async #subscribe(onChanged: () => void): Promise<void> {
    const { client, clock } = this.#parts;
    const { signal } = this.#ended;
    for (;;) {
      const subscription = await client.listen(
        { toolsListChanged: true },
        { timeout: requestTimeout, signal },
      );
      if ((await subscription.closed) === 'local') return;
      await clock.sleep(subscribeAgain, signal);
      // News of the meantime are lost.
      onChanged();
    }
  }
}

/** Takes any result: entries are looked at one by one, because one bad tool must not cost the others. */
const anyResult = {
  '~standard': {
    version: 1 as const,
    vendor: 'belay',
    validate: (value: unknown) => ({ value }),
  },
};
