import { judgeAddress } from '../../../core/permissions/network/request-guard.ts';
import { plainHost } from '../../../core/permissions/network/network-address.ts';
import type { PageText, Web, WebAnswer, WebPage, WebRequest } from '../../../core/ports/web.ts';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import { BelayError, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { type Resolve, pinnedFetch } from './pinned-fetch.ts';
import { readPage } from './read-page.ts';

/** Most hops of a redirect. */
const MOST_HOPS = 5;
/** Says who asks and nothing about the person, their machine or their editor. */
const USER_AGENT = 'Belay';

export class NodeWeb implements Web {
  readonly #resolve: Resolve | undefined;

  /** `resolve`: for tests; else the system's. */
  constructor(resolve?: Resolve) {
    this.#resolve = resolve;
  }

  async get(request: WebRequest): Promise<WebAnswer> {
    const limit = AbortSignal.timeout(request.timeoutMs);
    const signal = AbortSignal.any([request.signal, limit]);
    try {
      return await this.#hops(request, signal);
    } catch (thrown) {
      throwIfAborted(request.signal);
      if (thrown instanceof BelayError) throw thrown;
      const host = request.url.host;
      if (limit.aborted) {
        const seconds = request.timeoutMs / 1000;
        const message = told`${host} did not send the page within ${seconds} s. Try again later, or another page.`;
        throw fault('timeout', message, { cause: thrown });
      }
      const message = told`${host} could not be reached: ${reasonOf(thrown)}. Check the address, or go another way.`;
      throw fault('network', message, { cause: thrown });
    }
  }

  text(page: WebPage, most: number, signal: AbortSignal): Promise<PageText> {
    return readPage(page, most, signal);
  }

  async #hops(request: WebRequest, signal: AbortSignal): Promise<WebAnswer> {
    let { url } = request;
    for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
      const first = plainHost(request.url.hostname);
      const fetchPinned = pinnedFetch(
        (host, address) =>
          judgeAddress(host, address, request.trusted && plainHost(host) === first),
        this.#resolve,
      );
      const isOwn = url.origin === request.url.origin;
      const response = await fetchPinned(url, {
        signal,
        headers: {
          'user-agent': USER_AGENT,
          accept: 'text/html,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.1',
          ...(isOwn ? request.headers : {}),
        },
        ...(isOwn && request.body !== undefined ? { method: 'POST', body: request.body } : {}),
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null)
        return pageOf(url, response, request.maxBytes);
      await response.body?.cancel();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      const downgrade = url.protocol === 'https:' && next?.protocol === 'http:';
      if (next === undefined || downgrade || !request.follow(next))
        return { kind: 'redirect', from: url, to: next?.href ?? location };
      url = next;
    }
    const message = told`${request.url.host} redirects more than ${MOST_HOPS} times; nothing was read. Go another way.`;
    throw fault('network', message);
  }
}

async function pageOf(url: URL, response: Response, maxBytes: number): Promise<WebAnswer> {
  const type = response.headers.get('content-type') ?? '';
  const charset = /charset\s*=\s*"?(?<name>[\w.:-]+)/iu.exec(type)?.groups?.['name'];
  const { bytes, cut } = await readBounded(response.body, maxBytes);
  return {
    kind: 'page',
    url,
    status: response.status,
    ...retryAfterOf(response.headers.get('retry-after')),
    mediaType: (type.split(';')[0] ?? '').trim().toLowerCase(),
    ...(charset === undefined ? {} : { charset }),
    body: bytes,
    cut,
  };
}

/** Seconds or a date. */
function retryAfterOf(value: string | null): { readonly retryAfterMs?: number } {
  const text = value?.trim() ?? '';
  const wait = /^\d{1,7}$/u.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? { retryAfterMs: Math.max(0, wait) } : {};
}

async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; cut: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), cut: false };
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut = false;
  for await (const chunk of body) {
    const room = maxBytes - size;
    if (chunk.length > room) cut = true;
    chunks.push(chunk.subarray(0, room));
    size += Math.min(chunk.length, room);
    if (cut) break;
  }
  return { bytes: Buffer.concat(chunks, size), cut };
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code } = thrown as { readonly code?: unknown };
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'there is no such name';
    case 'ECONNREFUSED':
      return 'nothing answers there';
    case 'ECONNRESET':
      return 'the connection broke';
    default:
      return thrown.message === '' ? 'the connection failed' : thrown.message;
  }
}
