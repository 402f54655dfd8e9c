import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The page that the person sees; nothing of the request is in it. */
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Belay</title><p>You can close this page and go back to VS Code.</p>';

/** Characters of an address that is looked at. */
const LONGEST = 8192;

/**
 * A sign-in's redirect address: on 127.0.0.1, under a secret path, for one answer. Other host
 * names, any origin, other methods and paths get 403.
 */
export class CallbackListener {
  readonly #server: http.Server;
  readonly #path: string;
  readonly #answer = Promise.withResolvers<URLSearchParams>();
  #used = false;

  private constructor(path: string) {
    this.#path = path;
    this.#server = http.createServer((request, response) => this.#serve(request, response));
    this.#server.maxHeadersCount = 100;
    this.#server.headersTimeout = 10_000;
    this.#server.requestTimeout = 10_000;
    // It is asked for when it is needed; until then nobody may be listening for a failure.
    this.#answer.promise.catch(() => {});
  }

  /** Without a place: a secret path on any port. Rejects when the port cannot be had. */
  static async open(place?: { path: string; port: number }): Promise<CallbackListener> {
    const secret = `/${randomBytes(16).toString('hex')}`;
    const listener = new CallbackListener(place?.path ?? secret);
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', reject);
      listener.#server.listen(
        { port: place?.port ?? 0, host: '127.0.0.1', exclusive: true },
        resolve,
      );
    });
    return listener;
  }

  /** To be sent and registered, character by character. */
  get redirectUri(): string {
    return `http://127.0.0.1:${this.#port}${this.#path}`;
  }

  /** The parameters of the one answer; rejects when the signal fires. */
  async answer(signal: AbortSignal): Promise<URLSearchParams> {
    const stop = (): void =>
      this.#answer.reject(new DOMException('The sign-in was stopped.', 'AbortError'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#answer.promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Nothing listens any more when it resolves. */
  async dispose(): Promise<void> {
    this.#answer.reject(new DOMException('The sign-in was stopped.', 'AbortError'));
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  #serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    request.resume();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', "default-src 'none'");
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cache-control', 'no-store');
    response.setHeader('connection', 'close');
    const parameters = this.#parametersOf(request);
    if (parameters === undefined || this.#used) {
      response.writeHead(403).end();
      return;
    }
    this.#used = true;
    response.writeHead(200).end(PAGE);
    this.#answer.resolve(parameters);
  }

  #parametersOf({ method, url = '', headers }: http.IncomingMessage): URLSearchParams | undefined {
    if (method !== 'GET' || url.length > LONGEST) return undefined;
    if (headers.host !== `127.0.0.1:${this.#port}` || headers.origin !== undefined)
      return undefined;
    // A browser says where a request is from and what for: a page must not send it, only go there.
    if (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate')
      return undefined;
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (path !== this.#path) return undefined;
    return new URLSearchParams(query === -1 ? '' : url.slice(query + 1));
  }
}
