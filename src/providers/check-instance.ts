import { addressOf, keyHeaders as messagesHeaders } from './anthropic/address.ts';
import { readListedModels } from './catalog/listed-models.ts';
import type { ModelUpdate } from './catalog/updates.ts';
import { chatAddress } from './chat/address.ts';
import { chatKeyHeaders, flagsFor } from './chat/flags.ts';
import { GEMINI_LIST, geminiAddress, geminiKeyHeaders } from './gemini/address.ts';
import { hostOf } from './http/address.ts';
import { HttpClient, HttpRefusal } from './http/client.ts';
import type { ProviderInstance, WireName } from './instance.ts';
import { responsesAddress } from './responses/address.ts';

/** What one cheap request to a provider showed; nothing is generated and nothing is billed. */
export interface InstanceCheck {
  /** `unclear`: something answered, but not whether the key is good. */
  readonly state: 'works' | 'refused' | 'unreachable' | 'unclear';
  /** What was found, as one sentence. */
  readonly said: string;
  /** The models that it lists. */
  readonly models: readonly ModelUpdate[];
}

interface CheckParts {
  readonly signal: AbortSignal;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
}

/** Asks a provider for its models with a key, and without one, where that shows nothing of the key. */
export async function checkInstance(
  instance: ProviderInstance,
  key: string | undefined,
  parts: CheckParts,
): Promise<InstanceCheck> {
  const server = `${instance.name} (${hostOf(instance.baseUrl)})`;
  const none = { models: [] };
  try {
    const models = readListedModels(await listOf(instance, key, parts));
    const lists = `lists ${models.length} ${models.length === 1 ? 'model' : 'models'}`;
    if (key === undefined)
      return { state: 'works', said: `${server} answers and ${lists}.`, models };
    const isOpen = await listOf(instance, undefined, parts).then(
      () => true,
      () => false,
    );
    return isOpen
      ? {
          state: 'unclear',
          said: `${server} answers and ${lists}, but does so without a key, too: whether the key is good shows with the first message.`,
          models,
        }
      : { state: 'works', said: `${server} accepts the key and ${lists}.`, models };
  } catch (thrown) {
    if (thrown instanceof HttpRefusal) {
      const { status, text } = thrown.refusal;
      // Gemini says so with 400.
      if (status === 401 || status === 403 || /API key (?:not valid|expired)/i.test(text)) {
        const what = key === undefined ? 'wants a key' : 'refuses the key';
        return { ...none, state: 'refused', said: `${server} ${what} (HTTP ${status}).` };
      }
      return {
        ...none,
        state: 'unclear',
        said: `${server} answers, but has no list of models (HTTP ${status}): check the address; whether it works shows with the first message.`,
      };
    }
    const how = parts.signal.aborted ? 'did not answer in time' : 'cannot be reached';
    return { ...none, state: 'unreachable', said: `${server} ${how}.` };
  }
}

/** Where a wire's list of models is. */
interface ListPlace {
  readonly address: string;
  readonly list: string;
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>;
}

const LISTS: Readonly<
  Record<Exclude<WireName, 'demo' | 'vscode-lm'>, (instance: ProviderInstance) => ListPlace>
> = {
  messages: ({ baseUrl }) => {
    const address = addressOf(baseUrl);
    const list = '/v1/models?limit=1000';
    return { address, list, headers: (key) => messagesHeaders(key, address) };
  },
  chat: ({ baseUrl, flags }) => openAiList(chatAddress(baseUrl), flags),
  responses: ({ baseUrl, flags }) => openAiList(responsesAddress(baseUrl), flags),
  gemini: ({ baseUrl }) => ({
    address: geminiAddress(baseUrl),
    list: GEMINI_LIST,
    headers: (key) => (key === undefined ? {} : geminiKeyHeaders(key)),
  }),
};

const openAiList = (address: string, flags: ProviderInstance['flags']): ListPlace => ({
  address,
  list: '/models',
  headers: (key) => chatKeyHeaders(key, flagsFor(address, flags)),
});

async function listOf(
  instance: ProviderInstance,
  key: string | undefined,
  { signal, fetch: send }: CheckParts,
): Promise<unknown> {
  const { wire: given } = instance;
  const wire = given === 'demo' || given === 'vscode-lm' ? 'chat' : given;
  const { address, list, headers } = LISTS[wire](instance);
  const client = new HttpClient({
    apiKey: async () => Promise.resolve(key),
    address: () => address,
    headers,
    setting: 'belay.model.providers',
    fetch: send,
  });
  const response = await client.get(list, signal);
  return response.json();
}
