import { failureOfThrown } from './failures.ts';
import { addressOf, createClient } from './client.ts';

/** The answer to one cheap request with a key. */
export interface KeyCheck {
  /** `unclear`: something answered, but not whether the key is good. */
  readonly state: 'works' | 'refused' | 'unreachable' | 'unclear';
  /** The host that was asked. */
  readonly host: string;
  /** The fault, as the end of a sentence; empty when it works. */
  readonly said: string;
}

/** Asks the models of the configured address with a key; nothing is generated and nothing is billed. */
export async function checkKey(
  key: string,
  baseUrl: string,
  { signal, fetch: send = globalThis.fetch }: { signal: AbortSignal; fetch?: typeof fetch },
): Promise<KeyCheck> {
  const address = addressOf(baseUrl);
  const host = URL.canParse(address) ? new URL(address).host : address;
  try {
    const client = await createClient({ apiKey: key, baseUrl: address, fetch: send });
    const response = await client.get('/v1/models?limit=1', { signal }).asResponse();
    await response.body?.cancel();
    return { state: 'works', host, said: '' };
  } catch (thrown) {
    if (signal.aborted) return { state: 'unreachable', host, said: 'did not answer in time' };
    const at = { model: '', baseUrl: address, tools: [], now: 0 };
    const { code, status } = failureOfThrown(thrown, { at, signal, inBody: false });
    if (status === 401 || status === 403)
      return { state: 'refused', host, said: `answered ${status}` };
    if (status !== undefined) return { state: 'unclear', host, said: `answered ${status}` };
    return code === 'timeout'
      ? { state: 'unreachable', host, said: 'did not answer in time' }
      : { state: 'unreachable', host, said: 'cannot be reached' };
  }
}
