import type { FetchLike } from '@modelcontextprotocol/client';

/** Milliseconds and bytes of one answer of an authorization server. */
const longest = 30_000;
const largest = 2 ** 20;

/** Reads answers of authorization servers whole: within a time and a size, following no redirect. */
export function boundedFetch(fetch: FetchLike, signal: AbortSignal): FetchLike {
  return async (url, init) => {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(longest)]);
    const headers = new Headers(init?.headers);
    const form = init?.body instanceof URLSearchParams ? init.body.toString() : undefined;
    if (form !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/x-www-form-urlencoded');
    const response = await fetch(url, {
      ...init,
      ...(form === undefined ? {} : { body: form }),
      headers,
      signal: limits,
      redirect: 'manual',
    });
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > largest)
        throw new Error(`${new URL(url).host} answers with more than ${largest} bytes.`);
      chunks.push(new Uint8Array(chunk));
    }
    const { status, statusText } = response;
    const body = status === 204 || status === 304 ? null : new Blob(chunks);
    return new Response(body, { status, statusText, headers: response.headers });
  };
}
