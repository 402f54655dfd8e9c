import { hostOf } from '../http/address.ts';
import { HttpClient } from '../http/client.ts';
import { failureOfThrown } from '../http/failures.ts';
import { addressOf, keyHeaders } from './address.ts';

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
  const host = hostOf(address);
  const setting = 'belay.model.baseUrl';
  const client = new HttpClient({
    apiKey: async () => key,
    address: () => address,
    headers: keyHeaders,
    setting,
    fetch: send,
  });
  try {
    const response = await client.get('/v1/models?limit=1', signal);
    await response.body?.cancel();
    return { state: 'works', host, said: '' };
  } catch (thrown) {
    if (signal.aborted) return { state: 'unreachable', host, said: 'did not answer in time' };
    const at = { model: '', baseUrl: address, tools: [], now: 0, api: 'Messages API', setting };
    const { code, status } = failureOfThrown(thrown, { at, rules: [], signal, inBody: false });
    if (status === 401 || status === 403)
      return { state: 'refused', host, said: `answered ${status}` };
    if (status !== undefined) return { state: 'unclear', host, said: `answered ${status}` };
    return code === 'timeout'
      ? { state: 'unreachable', host, said: 'did not answer in time' }
      : { state: 'unreachable', host, said: 'cannot be reached' };
  }
}
