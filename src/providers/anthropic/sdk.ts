import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import { below } from '../http/address.ts';
import { BodyMemory } from '../http/body-memory.ts';
import { type HttpClient, HttpRefusal, refusalIn, type RequestTarget } from '../http/client.ts';
import type { SentRequest } from '../http/origin-bound.ts';

/** Milliseconds that one timer can wait: the watchdogs decide how long an answer may take. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

const memory = new BodyMemory();

/** Sends one request with the SDK's client; rejects with `HttpRefusal`, or with what the transport rejected with. */
export async function sendBySdk(
  transport: HttpClient,
  path: string,
  request: SentRequest,
): Promise<Response> {
  const client = new SdkClient(transport, await transport.target(request.headers), request);
  const { pieces } = request;
  const body = pieces === undefined ? undefined : memory.join(pieces);
  try {
    return body === undefined
      ? await client.get(path).asResponse()
      : await client.post(path, { body: body.bytes, stream: true }).asResponse();
  } catch (thrown) {
    // The SDK leaves out the cause of what it takes for a timeout.
    if (client.failure !== undefined) throw client.failure.reason;
    const { refusal } = client;
    throw refusal !== undefined && thrown instanceof APIError
      ? new HttpRefusal(refusal, thrown)
      : thrown;
  } finally {
    // Whoever sends has copied the bytes by then.
    body?.giveBack();
  }
}

type Refusal = HttpRefusal['refusal'];

/**
 * The SDK's client for one request. It has no credential, and neither the environment nor a file adds anything: headers
 * and address are the transport's. Its `fetch` is the transport, which sees the signal itself, so that no listener stays
 * with a signal that outlives the request.
 */
class SdkClient extends BaseAnthropic {
  readonly #headers: Readonly<Record<string, string>>;
  /** The refusal, in the form of all wires. */
  refusal: Refusal | undefined;
  /** The reason why the transport failed. */
  failure: { readonly reason: unknown } | undefined;

  constructor(
    transport: HttpClient,
    { address, headers }: RequestTarget,
    { signal }: Pick<SentRequest, 'signal'>,
  ) {
    super({
      baseURL: address,
      apiKey: null,
      authToken: null,
      webhookKey: null,
      maxRetries: 0,
      timeout: LONGEST_TIMEOUT_MS,
      logLevel: 'off',
      openTelemetry: false,
      fetch: async (url, { method, body } = {}) => {
        try {
          return await transport.exchange(url instanceof Request ? url.url : url.toString(), {
            method: method === 'POST' ? 'POST' : 'GET',
            headers,
            ...(body instanceof Uint8Array ? { pieces: [body] } : {}),
            signal,
          });
        } catch (reason) {
          this.failure = { reason };
          throw reason;
        }
      },
    });
    this.#headers = headers;
  }

  /** No credential of the environment or of a file is looked for. */
  protected override _shouldResolveDefaultCredentials(): boolean {
    return false;
  }

  /** A server without a key is asked without one. */
  protected override validateHeaders(): void {}

  /** A query of the address (a gateway's version, say) stays as it is, behind the path. */
  override buildURL(path: string): string {
    return below(this.baseURL, path);
  }

  /** Only the transport's headers are sent: none that the SDK makes or finds in the environment. */
  protected override async prepareRequest(request: RequestInit): Promise<void> {
    request.headers = { ...this.#headers };
    return Promise.resolve();
  }

  protected override makeStatusError(
    status: number,
    error: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    this.refusal = refusalIn(error, message ?? '', { status, headers });
    return super.makeStatusError(status, error as object, message, headers);
  }
}
