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

  constructor(refusal: Refusal) {
    super(`HTTP ${refusal.status}`);
    this.refusal = refusal;
  }
}

/**
 * The one HTTP client of all wires. It neither retries nor waits (there is one retry rule, B9, and
 * deadlines are the watchdogs' business), reads nothing from the environment and logs nothing.
 */
export class HttpClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Sends JSON; rejects with `HttpRefusal` when the server does not take it. */
  async post(path: string, pieces: readonly Uint8Array[], signal: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream, */*' };
    return this.#send(path, { method: 'POST', pieces, headers, signal });
  }

  /** Asks; rejects with `HttpRefusal` when the server refuses. */
  async get(path: string, signal: AbortSignal): Promise<Response> {
    return this.#send(path, { method: 'GET', headers: { accept: 'application/json' }, signal });
  }

  /** Asks for JSON; rejects with `bad_response` where something else comes. */
  async json(path: string, signal: AbortSignal): Promise<unknown> {
    const response = await this.get(path, signal);
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

  async #send(path: string, request: SentRequest) {
    const { fetch: given, send, headers, setting } = this.#options;
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
    const sent = { 'user-agent': 'belay', ...request.headers, ...headers(key, address) };
    const response = await originBound(
      send ?? ((to, one, redirects) => fetched(given ?? globalThis.fetch, to, one, redirects)),
      below(address, path),
      { ...request, headers: sent },
      `the setting ${setting}`,
    );
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
    ...(pieces === undefined ? {} : { body: joined(pieces) }),
    ...redirects,
  });
}

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
  const text = await startOf(response);
  const isPlain = /^(?:text\/plain|$)/iu.test(response.headers.get('content-type') ?? '');
  return refusalFrom(parsedJson(text) ?? (isPlain ? text : undefined), {
    status: response.status,
    headers: response.headers,
  });
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
