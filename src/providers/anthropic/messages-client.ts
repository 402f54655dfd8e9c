import { GET_HEADERS, POST_HEADERS } from '../http/client.ts';
import type { HttpClient, WireClient } from '../http/client.ts';

/** The client of the Messages API: `@anthropic-ai/sdk` over Belay's transport, loaded with the first request. */
export class MessagesClient implements WireClient {
  readonly #transport: HttpClient;

  constructor(transport: HttpClient) {
    this.#transport = transport;
  }

  async post(path: string, pieces: readonly Uint8Array[], signal: AbortSignal): Promise<Response> {
    const { sendBySdk } = await import('./sdk.ts');
    return sendBySdk(this.#transport, path, {
      method: 'POST',
      pieces,
      headers: POST_HEADERS,
      signal,
    });
  }

  async json(path: string, signal: AbortSignal): Promise<unknown> {
    const { sendBySdk } = await import('./sdk.ts');
    const request = { method: 'GET', headers: GET_HEADERS, signal } as const;
    return this.#transport.readJson(await sendBySdk(this.#transport, path, request));
  }
}
