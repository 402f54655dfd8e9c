import { inEnglish, type Told, told } from '../../domain/text/told.ts';
import {
  type CallToolResult,
  type Client,
  type Progress,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import type { AskingCall } from '../requests/person.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Era } from './era.ts';
import { headerProblem } from '../tools/header-parameters.ts';
import { type ListedTool, readTools } from '../tools/listed-tool.ts';
import { firstIcon } from '../icon.ts';
import type { ServerIdentity } from '../status/server-status.ts';
import { oneLine } from '../status/sentence.ts';
import { Offers } from './offers.ts';
import { allPages, requestTimeout } from './pages.ts';
import { type CallProblem, callProblem } from './problem.ts';
import { callAsTask } from './task-call.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { ServerLog } from '../status/server-log.ts';

/** Milliseconds: longer than any tool may run. The time limit of a call is kept by who asks, through the signal. */
const callTimeout = 24 * 60 * 60 * 1000;
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
  /** Shows the person pages that a tool needs first; `true`: they are done there. */
  readonly openPages?:
    | ((pages: readonly unknown[], signal: AbortSignal) => Promise<boolean>)
    | undefined;
  /** Hears of what the server tells by itself: lists and resources that changed, its log, finished pages. */
  readonly onEvent?: ((method: string, params: unknown) => void) | undefined;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Whose call it is; a question of the server belongs to it. */
  readonly call?: AskingCall | undefined;
}

export type CallAnswer = { readonly result: CallToolResult } | { readonly problem: CallProblem };

/** News that a server tells by itself, beside its log. */
const EVENTS = [
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/elicitation/complete',
] as const;

export class Session {
  readonly offers: Offers;
  readonly #parts: SessionParts;
  readonly #ended = new AbortController();
  #onToolsChanged: (() => void) | undefined;
  #changedEarly = false;
  /** Sentences for the user about tools that the last list had and that are left out. */
  toolProblems: readonly Told[] = [];

  /** The client is connected afterwards, so that no message is missed. */
  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { client, log, onEvent } = parts;
    this.offers = new Offers(client, log);
    for (const method of EVENTS)
      client.setNotificationHandler(method, (notification) => {
        if (method === 'notifications/tools/list_changed') this.#toolsChanged();
        if (/\/(?:prompts|resources)\/list_changed$/u.test(method)) this.offers.version += 1;
        onEvent?.(method, 'params' in notification ? notification.params : undefined);
      });
    client.setNotificationHandler('notifications/message', ({ method, params }) => {
      const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
      log.add('server', `${params.level}: ${text}`);
      onEvent?.(method, params);
    });
  }

  get era(): Era {
    return this.#parts.client.getProtocolEra() ?? 'legacy';
  }

  /** The revision both sides speak, as a date. */
  get revision(): string | undefined {
    return this.#parts.client.getNegotiatedProtocolVersion();
  }

  get server(): ServerIdentity | undefined {
    const server = this.#parts.client.getServerVersion();
    if (server === undefined) return undefined;
    const { name, version } = server;
    const icon = firstIcon(server.icons);
    return { name, version, ...(icon === undefined ? {} : { icon }) };
  }

  get capabilities(): ReturnType<Client['getServerCapabilities']> {
    return this.#parts.client.getServerCapabilities();
  }

  get instructions(): string | undefined {
    return this.#parts.client.getInstructions();
  }

  get hasServerSession(): boolean {
    return this.#parts.hasServerSession?.() === true;
  }

  /** Rejects with the SDK's errors. A tool that makes no sense is left out and logged. */
  async listTools(signal: AbortSignal): Promise<ListedTool[]> {
    const { client, log } = this.#parts;
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const found = await allPages(client, 'tools/list', log, signal);
    const problems: Told[] = [];
    const report = (problem: Told): void => {
      log.add('belay', inEnglish(problem));
      problems.push(problem);
    };
    this.toolProblems = problems;
    const tools = readTools(found, report);
    // Over stdio the newer revisions allow to leave headers out.
    if (this.era !== 'modern' || this.#parts.release === undefined) return tools;
    return tools.filter(({ name, inputSchema }) => {
      const problem = headerProblem(inputSchema);
      if (problem !== undefined) report(told`The tool “${oneLine(name)}” is left out: ${problem}.`);
      return problem === undefined;
    });
  }

  /** Rejects only with an AbortError, when the signal fires. */
  async callTool(
    tool: ListedTool,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
    isAgain = false,
  ): Promise<CallAnswer> {
    const { signal, onProgress } = options;
    const { client, clock } = this.#parts;
    const params = {
      name: tool.name,
      arguments: { ...input },
      ...(this.offers.meta === undefined ? {} : { _meta: this.offers.meta }),
    };
    try {
      if (this.era === 'legacy' && onlyAsTask(tool))
        return { result: await callAsTask(client, params, clock, { signal, onProgress }) };
      const result = await client.callTool(params, {
        signal,
        timeout: callTimeout,
        onprogress: onProgress,
        // Without the output schema: a result that does not fit it still tells what happened.
        toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } },
      });
      return { result };
    } catch (thrown) {
      // The SDK turns the reason of an abort into a text.
      throwIfAborted(signal);
      if (!(thrown instanceof UrlElicitationRequiredError)) return { problem: callProblem(thrown) };
      const done =
        !isAgain && (await this.#parts.openPages?.(thrown.elicitations, signal)) === true;
      // The server did nothing but ask for the pages.
      if (done) return this.callTool(tool, input, options, true);
      const detail = told`It needs the person to do something on a page first (${thrown.message}), and that is not done. The tool was not run.`;
      return { problem: { kind: 'refused', detail } };
    }
  }

  /** Rejects only with an AbortError, when the signal fires. */
  async ask<Value>(
    work: (offers: Offers) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<{ readonly value: Value } | { readonly problem: CallProblem }> {
    try {
      return { value: await work(this.offers) };
    } catch (thrown) {
      throwIfAborted(signal);
      return { problem: callProblem(thrown) };
    }
  }

  /** Hears of changes of the list of tools until the session is closed, and of one that came before. */
  watchTools(onChanged: () => void): void {
    const { client, log } = this.#parts;
    this.#onToolsChanged = onChanged;
    if (this.#changedEarly) onChanged();
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const news = {
      toolsListChanged: tools?.listChanged === true,
      promptsListChanged: prompts?.listChanged === true,
      resourcesListChanged: resources?.listChanged === true,
    };
    if (this.era !== 'modern' || !Object.values(news).includes(true)) return;
    this.#subscribe(news, onChanged).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) log.add('belay', `No news of its lists: ${String(error)}`);
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

  #toolsChanged(): void {
    if (this.#onToolsChanged === undefined) this.#changedEarly = true;
    else this.#onToolsChanged();
  }

  /** On the modern revisions a client asks for news, and asks again when the stream breaks. */
  async #subscribe(news: Parameters<Client['listen']>[0], onChanged: () => void): Promise<void> {
    const { client, clock } = this.#parts;
    const { signal } = this.#ended;
    for (;;) {
      const subscription = await client.listen(news, { timeout: requestTimeout, signal });
      if ((await subscription.closed) === 'local') return;
      await clock.sleep(subscribeAgain, signal);
      // News of the meantime are lost.
      onChanged();
    }
  }
}

function onlyAsTask({ claims }: ListedTool): boolean {
  const { execution } = claims;
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}
