import { told } from '../../domain/text/told.ts';
import { BelayError, fault, tells } from '../../domain/failure.ts';
import type { Failure } from '../../domain/failure.ts';
import { below, hostOf, withoutPassword } from './address.ts';
import { joined } from './bytes.ts';
import { parsedJson } from './fields.ts';
import { originBound } from './origin-bound.ts';
import type { Redirects, SentRequest } from './origin-bound.ts';
import { refusalFrom } from './refusal/refusal.ts';
import type { Refusal } from './refusal/refusal.ts';
import { unservedAddress } from './refusal/unserved-address.ts';

/** Remembers the addresses that requests with a key went to. */
export interface KeyedAddresses {
  has(address: string): boolean;
  add(address: string): Promise<void>;
}

/** Sends a request, and follows no redirect; rejects as `fetch` does. */
export type Send = (address: URL, request: SentRequest) => Promise<Response>;

/** A connection that failed in a process that connects by itself; editors connect in their own way. */
export class ConnectionError extends Error {
  /** The proxy that it went through; `shown`: its address, `name`: the variable or setting that has it. */
  readonly proxy: { readonly name: string; readonly shown: string } | undefined;

  constructor(cause: unknown, proxy?: { readonly name: string; readonly shown: string }) {
    super('The connection failed.', { cause });
    this.proxy = proxy;
  }
}

/** Where requests go, and with what. */
export interface ClientOptions {
  /** The key; `undefined` when none is set. Asked for each call, so that a new key counts at once. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Where the API is, in its plain form; read for each call. */
  readonly address: () => string;
  /** Headers of every request: the key in the form that the address wants, a version. */
  readonly headers: (key: string | undefined, address: string) => Readonly<Record<string, string>>;
  /** Why nothing can be sent to an address without a key; absent or `undefined`: it may need none. */
  readonly keyNeeded?: ((address: string, lost: boolean) => Failure | undefined) | undefined;
  /** The setting that holds the address, for sentences. */
  readonly setting: string;
  /** Addresses that had a key; absent: a missing key is nobody's loss. */
  readonly keyed?: KeyedAddresses | undefined;
  /** Absent: by `fetch`. */
  readonly send?: Send | undefined;
  /** Absent: the global one, looked up for each call, because editors replace it for proxies. */
  readonly fetch?: typeof fetch | undefined;
}

/** Bytes of an error's body that are read. */
const ERROR_BYTES = 64 * 1024;

/** A server's answer that is an error. */
export class HttpRefusal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(`HTTP ${refusal.status}`, { cause });
    this.refusal = refusal;
  }
}

/** Sends the requests of a wire; rejects with `HttpRefusal` when the server refuses. */
export interface WireClient {
  /** Sends JSON. */
  post(path: string, pieces: readonly Uint8Array[], signal: AbortSignal): Promise<Response>;
  /** Asks for JSON; rejects with `bad_response` where something else comes. */
  json(path: string, signal: AbortSignal): Promise<unknown>;
}

/** Where a request goes, and with what. */
export interface RequestTarget {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const POST_HEADERS = {
  'content-type': 'application/json',
  accept: 'text/event-stream, */*',
} as const;
export const GET_HEADERS = { accept: 'application/json' } as const;

/**
 * The one transport of all wires, and the client of those that have no SDK. It neither retries nor waits (there is one
 * retry rule, B9, and the watchdogs set deadlines), reads nothing from the environment and logs nothing.
 */
export class HttpClient implements WireClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async post(path: string, pieces: readonly Uint8Array[], signal: AbortSignal): Promise<Response> {
    return this.#send(path, { method: 'POST', pieces, headers: POST_HEADERS, signal });
  }

  /** Asks; rejects with `HttpRefusal` when the server refuses. */
  async get(path: string, signal: AbortSignal): Promise<Response> {
    return this.#send(path, { method: 'GET', headers: GET_HEADERS, signal });
  }

  async json(path: string, signal: AbortSignal): Promise<unknown> {
    return this.readJson(await this.get(path, signal));
  }

  /** Rejects with `bad_response` where an answer is no JSON. */
  async readJson(response: Response): Promise<unknown> {
    const value = parsedJson(await response.text());
    if (value !== undefined) return value;
    throw fault(
      'bad_response',
      told`Something other than a list of models came from ${withoutPassword(this.#options.address())}: a web page or another program is there. Check the setting ${this.#options.setting}.`,
    );
  }

  /** Rejects where a call would, because there is no key. */
  async #key(address: string): Promise<string | undefined> {
    const { apiKey, keyed, keyNeeded } = this.#options;
    const key = (await apiKey())?.trim() || undefined;
    if (key !== undefined) {
      await keyed?.add(address);
      return key;
    }
    const lost = keyed?.has(address) === true;
    const missing = keyNeeded?.(address, lost) ?? (lost ? lostKey(address) : undefined);
    if (missing !== undefined) throw new BelayError(missing);
    return undefined;
  }

  /** Finds out where the next request goes and adds the key to its headers; rejects where nothing may be sent. */
  async target(headers: Readonly<Record<string, string>>): Promise<RequestTarget> {
    const { headers: keyHeaders, setting } = this.#options;
    const address = this.#options.address();
    const unserved = unservedAddress(address);
    if (unserved !== undefined)
      throw new BelayError({
        code: 'config',
        ...tells(
          told`Nothing was sent to ${hostOf(address)}: ${unserved}. Check the setting ${setting}.`,
        ),
      });
    const key = await this.#key(address);
    return {
      address,
      headers: { 'user-agent': 'belay', ...headers, ...keyHeaders(key, address) },
    };
  }

  /** Sends a request, never to another origin. The body of an error has at most 64 KB. */
  async exchange(url: string, request: SentRequest): Promise<Response> {
    const { fetch: given, send, setting } = this.#options;
    const response = await originBound(
      send ?? ((to, one, redirects) => fetched(given ?? globalThis.fetch, to, one, redirects)),
      url,
      request,
      `the setting ${setting}`,
    );
    if (response.ok) return response;
    const { headers, status } = response;
    return new Response(await startOf(response), { headers, status });
  }

  async #send(path: string, request: SentRequest): Promise<Response> {
    const { address, headers } = await this.target(request.headers);
    const response = await this.exchange(below(address, path), { ...request, headers });
    if (response.ok) return response;
    throw new HttpRefusal(await refusalOf(response));
  }
}

async function fetched(
  send: typeof fetch,
  to: URL,
  { pieces, ...request }: SentRequest,
  redirects: Redirects,
): Promise<Response> {
  return send(to, {
    ...request,
    ...(pieces === undefined ? {} : { body: toBody(pieces) }),
    ...redirects,
  });
}

const toBody = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  pieces.length === 1 ? (pieces[0] as Uint8Array<ArrayBuffer>) : joined(pieces);

/** The key of an address is gone; nothing was sent. */
function lostKey(address: string): Failure {
  return {
    code: 'auth',
    ...tells(
      told`The API key for ${hostOf(address)} is gone, and nothing was sent there without it. Everything so far is kept: set it again with “Belay: Set API Key”, or choose “Use Without a Key” above.`,
    ),
  };
}

async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text();
  return refusalIn(parsedJson(text), text, response);
}

/** Reads an answer that is an error. Text that is no JSON counts only where the server says that it is plain. */
export function refusalIn(
  body: unknown,
  text: string,
  { headers, status }: { readonly headers: Headers; readonly status: number },
): Refusal {
  const isPlain = /^(?:text\/plain|$)/iu.test(headers.get('content-type') ?? '');
  return refusalFrom(body ?? (isPlain ? text : undefined), { status, headers });
}

/** The beginning of a body; a body that breaks off is as good as its beginning. */
async function startOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const reader = response.body?.getReader();
  if (reader === undefined) return text;
  try {
    for (let left = ERROR_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
      left -= value.length;
    }
  } catch {
    // The bytes that came are all there is.
  }
  void reader.cancel().catch(() => undefined);
  return text;
}
