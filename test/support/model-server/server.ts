import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { answerOf, eventsOf, messageOf } from './events.ts';
import { PromptCache } from './prompt-cache.ts';
import { refusalOf } from './refusals.ts';
import type { Limits } from './refusals.ts';
import { tokensOf } from './tokens.ts';
import type { HttpError, Script, Turn, WireRequest } from './turn.ts';
import { writeEvents } from './write-answer.ts';

export interface ModelServerOptions {
  readonly script: Script;
  /** 0: any free port. */
  readonly port?: number;
  /** The key that is accepted; absent: any key, but there must be one. */
  readonly apiKey?: string;
  /** Nobody needs a key. */
  readonly keyless?: boolean;
  /** False: requests are answered without being checked. */
  readonly strict?: boolean;
  readonly limits?: Partial<Limits>;
  /** Tokens below which a prefix is not cached. */
  readonly minimumCachedTokens?: number;
  /** Models of GET /v1/models. */
  readonly models?: readonly Readonly<Record<string, unknown>>[];
  /** False: bodies are not kept, for long benches. */
  readonly record?: boolean;
}

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text; empty when recording is off. */
  readonly text: string;
  readonly body: WireRequest;
  /** Usage the server reported, where it counted one. */
  usage?: Readonly<Record<string, unknown>>;
  /** Status of the answer. */
  status?: number;
}

export interface ModelServer {
  /** Without a path, as in the setting `belay.model.baseUrl`. */
  readonly url: string;
  readonly port: number;
  /** Requests to /v1/messages, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Every request, whatever its path. */
  readonly all: readonly RecordedRequest[];
  /** TCP connections that were opened. */
  readonly connections: number;
  /** Replaces the script; the next request is number 1 of it. */
  use(script: Script): void;
  close(): Promise<void>;
  /** Listens again after `close`, on the port it had. */
  listen(port: number): Promise<void>;
}

const LIMITS: Limits = {
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  maxBodyBytes: 32 * 1024 * 1024,
  maxImageBytes: 5 * 1024 * 1024,
  alternateRoles: true,
  prefill: false,
  forcedTools: true,
};

/** Starts a scripted Messages API on loopback. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const server = new ScriptedServer(options);
  await server.listen(options.port ?? 0);
  return server;
}

class ScriptedServer implements ModelServer {
  readonly requests: RecordedRequest[] = [];
  readonly all: RecordedRequest[] = [];
  connections = 0;
  readonly #options: ModelServerOptions;
  readonly #limits: Limits;
  readonly #cache: PromptCache;
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  #script: Script;
  #count = 0;
  #ids = 0;

  constructor(options: ModelServerOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#cache = new PromptCache(options.minimumCachedTokens ?? 0);
    this.#script = options.script;
    this.#http.on('connection', (socket) => {
      this.connections += 1;
      socket.setNoDelay(true);
    });
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  use(script: Script): void {
    this.#script = script;
    this.#count = 0;
  }

  async listen(port: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#http.once('error', reject);
    this.#http.listen(port, '127.0.0.1', resolve);
    await promise;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#http.close(() => resolve());
    this.#http.closeAllConnections();
    await promise;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const requestId = `req_${String((this.#ids += 1)).padStart(6, '0')}`;
    response.setHeader('request-id', requestId);
    try {
      const text = await bodyOf(request);
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const recorded: RecordedRequest = {
        method: request.method ?? '',
        path: pathname,
        headers: request.headers,
        text: this.#options.record === false ? '' : text,
        body: (text === '' ? {} : parsed(text)) as WireRequest,
      };
      this.all.push(recorded);
      const status = (code: number): void => void (recorded.status = code);
      response.on('close', () => status(response.statusCode));
      if (pathname.endsWith('/v1/models') && request.method === 'GET') {
        const wrongKey = this.#wrongKey(recorded);
        if (wrongKey !== undefined) return refuse(response, wrongKey, requestId);
        return json(response, 200, this.#models());
      }
      const isCount = pathname.endsWith('/v1/messages/count_tokens');
      if (request.method !== 'POST' || (!isCount && !pathname.endsWith('/v1/messages'))) {
        return refuse(
          response,
          { status: 404, type: 'not_found_error', message: 'Not found' },
          requestId,
        );
      }
      const refusal = this.#refusal(recorded, text, isCount);
      if (isCount && refusal === undefined) {
        return json(response, 200, { input_tokens: countOf(recorded.body) });
      }
      if (!isCount) this.requests.push(recorded);
      this.#count += isCount ? 0 : 1;
      if (refusal !== undefined) return refuse(response, refusal, requestId);
      await this.#play(
        await this.#script(recorded.body, this.#count),
        recorded,
        response,
        requestId,
      );
    } catch (thrown) {
      if (!response.headersSent) {
        refuse(
          response,
          { status: 500, type: 'api_error', message: `The script failed: ${String(thrown)}` },
          requestId,
        );
      } else response.destroy();
    }
  }

  #wrongKey({ headers }: RecordedRequest): HttpError | undefined {
    const key = headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', '');
    if (this.#options.keyless === true) return undefined;
    if (key === undefined)
      return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
    if (this.#options.apiKey === undefined || key === this.#options.apiKey) return undefined;
    return { status: 401, type: 'authentication_error', message: 'invalid x-api-key' };
  }

  #refusal(recorded: RecordedRequest, text: string, isCount: boolean): HttpError | undefined {
    const wrongKey = this.#wrongKey(recorded);
    if (wrongKey !== undefined) return wrongKey;
    if (this.#options.strict === false) return undefined;
    if (recorded.headers['anthropic-version'] === undefined) {
      return {
        status: 400,
        type: 'invalid_request_error',
        message: 'anthropic-version: header is required',
      };
    }
    if (text.length > this.#limits.maxBodyBytes) {
      return {
        status: 413,
        type: 'request_too_large',
        message: 'Request exceeds the maximum size',
      };
    }
    if (hasLoneSurrogate(text)) {
      return {
        status: 400,
        type: 'invalid_request_error',
        message:
          'The request body is not valid JSON: no low surrogate in string: line 1 column 1 (char 0)',
      };
    }
    return refusalOf(
      isCount ? { ...recorded.body, max_tokens: 1 } : recorded.body,
      this.#limits,
      text.length,
    );
  }

  async #play(
    turn: Turn,
    recorded: RecordedRequest,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> {
    if (turn.delayMs !== undefined) await wait(turn.delayMs, undefined, { ref: false });
    if (turn.error !== undefined && turn.cut === undefined)
      return refuse(response, turn.error, requestId);
    if (turn.redirect !== undefined) {
      response.writeHead(turn.redirect.status ?? 307, { location: turn.redirect.to });
      response.end();
      return;
    }
    if (turn.body !== undefined) {
      response.writeHead(turn.body.status ?? 200, {
        'content-type': turn.body.contentType,
        ...turn.headers,
      });
      response.end(turn.body.text);
      return;
    }
    const answer = answerOf(
      turn,
      `msg_${requestId.slice(4)}`,
      recorded.body.model,
      this.#cache.use(recorded.body),
    );
    if (answer.usage !== undefined) recorded.usage = answer.usage;
    if (recorded.body.stream !== true) return json(response, 200, messageOf(answer, turn));
    const events = eventsOf(answer, turn);
    await writeEvents(response, turn.edit === undefined ? events : turn.edit(events), turn);
  }

  #models(): unknown {
    const data = this.#options.models ?? [];
    return {
      data,
      first_id: data[0]?.['id'] ?? null,
      last_id: data.at(-1)?.['id'] ?? null,
      has_more: false,
    };
  }
}

/** True for an escaped surrogate: whole pairs are never escaped by `JSON.stringify`. */
function hasLoneSurrogate(text: string): boolean {
  return text.includes('\\ud') && /\\ud[89a-f][0-9a-f]{2}/i.test(text.replaceAll('\\\\', ''));
}

function countOf(body: WireRequest): number {
  return (
    tokensOf(body.messages) +
    tokensOf(body.system ?? '') +
    (body.tools === undefined ? 0 : tokensOf(body.tools))
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function refuse(response: ServerResponse, error: HttpError, requestId: string): void {
  const body = {
    type: 'error',
    error: {
      type: error.type ?? 'api_error',
      message: error.message ?? '',
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    request_id: requestId,
  };
  response.writeHead(error.status, {
    'content-type': error.contentType ?? 'application/json',
    ...error.headers,
  });
  response.end(error.body ?? JSON.stringify(body));
}
