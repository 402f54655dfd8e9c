import type { Failure } from '../domain/failure.ts';
import type { ModelInfo } from '../domain/models/model.ts';
import { priceWords } from '../domain/text/price-words.ts';
import { addressOf } from './anthropic/address.ts';
import { hostOf, withoutPassword } from './http/address.ts';
import { textOr } from './http/fields.ts';
import type { ProviderInstance } from './instance.ts';
import { SETTABLE_WIRES } from './instances-setting.ts';

/** Why a provider does not work. */
export type CheckReason =
  | 'unreachable'
  | 'proxy' // TLS, or a proxy that wants a login
  | 'key'
  | 'permission' // the key may not use the model
  | 'model'
  | 'credit' // credit, quota, or a limit of requests
  | 'wire' // something else is at the address
  | 'slow'
  | 'other';

/** Facts that a check knows when it speaks. */
export interface CheckFacts {
  readonly hasKey: boolean;
  /** Models that the server lists. */
  readonly listed: number;
  readonly model?: string;
  /** Tried: it takes tools, or refuses them; `undefined`: not tried. */
  readonly tools?: boolean | undefined;
}

/** The reason that a failure is. */
export function reasonOf({ code, status, details }: Failure): CheckReason {
  switch (code) {
    case 'network':
      return details?.['problem'] === 'certificate' ? 'proxy' : 'unreachable';
    case 'timeout':
    case 'overloaded':
      return code === 'timeout' ? 'slow' : 'other';
    case 'auth':
      return 'key';
    case 'permission':
      return 'permission';
    case 'model_not_found':
      return 'model';
    case 'billing':
    case 'rate_limited':
      return 'credit';
    case 'bad_response':
    case 'stream_broken':
      return 'wire';
    case 'config':
      return status === 407 ? 'proxy' : 'wire';
    default:
      return 'other';
  }
}

/** The provider by its name and host. */
export const serverOf = (instance: ProviderInstance): string => {
  const host = serverHost(instance);
  return instance.name === host ? host : `${instance.name} (${host})`;
};

/** The host that is asked. */
export const serverHost = ({ baseUrl, wire }: ProviderInstance): string =>
  hostOf(wire === 'messages' ? addressOf(baseUrl) : baseUrl);

/** Why it does not work and what to do, as one sentence. */
export function saidOfFailure(
  failure: Failure,
  instance: ProviderInstance,
  { hasKey, listed, model = 'the model' }: CheckFacts,
): string {
  const server = serverOf(instance);
  const { status, details } = failure;
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  const system = /\(([A-Z_]{4,})\)/.exec(`${textOr(details?.['cause'])} ${failure.message}`)?.[1];
  const cause = system === undefined ? '' : ` (${system})`;
  switch (reasonOf(failure)) {
    case 'unreachable':
      return `${server} cannot be reached${cause}: check the address and the network, and that it runs.`;
    case 'proxy':
      return status === 407
        ? 'The proxy of the network wants a login (HTTP 407): check the settings http.proxy and http.proxyAuthorization.'
        : `The certificate of ${server} is not trusted${cause}: check the address, and the setting http.systemCertificates where a proxy inspects the traffic.`;
    case 'slow':
      return `${server} did not answer in time${cause || http}: try again, or see whether it is busy or still loads the model.`;
    case 'key':
      return hasKey
        ? `${server} does not accept the key${http}: set another one.`
        : `${server} wants a key${http}: set one.`;
    case 'permission':
      return `The key may not use ${model} at ${server}${http}${words(failure)}: choose another model, or set another key.`;
    case 'model':
      return `${server} answers${hasKey ? ' and accepts the key' : ''}, but has no model ${model}${http}: choose one of ${listed > 0 ? `the ${listed} that it lists` : 'its own'}.`;
    case 'credit':
      return failure.code === 'billing'
        ? `${server} accepts the key, but its account has no credit or quota left${http}: check plan and credit there.`
        : `${server} accepts the key, but a limit of requests or tokens is reached${http}${words(failure)}: try again later, or check plan and quota there.`;
    case 'wire':
      return `There is no ${wireName(instance)} API at ${withoutPassword(instance.baseUrl)}${http}: check the address and the wire; a web page or another program answered.`;
    default:
      return `${server} answers, but refused a small request${http}${words(failure)}.`;
  }
}

const words = ({ details }: Failure): string => {
  const text = details?.['providerText'];
  return typeof text === 'string' && text !== '' ? `, saying “${text.slice(0, 200)}”` : '';
};

/** The API that is spoken with a provider, for people. */
export const wireName = ({ wire }: ProviderInstance): string =>
  Object.hasOwn(SETTABLE_WIRES, wire) ? SETTABLE_WIRES[wire as keyof typeof SETTABLE_WIRES] : wire;

/** All that works, as one sentence. */
export function saidOfModel(
  info: ModelInfo,
  instance: ProviderInstance,
  { hasKey, listed, model = info.id, tools }: CheckFacts,
): string {
  const lists = listed > 0 ? `, lists ${listed} ${listed === 1 ? 'model' : 'models'}` : '';
  const answers = tools === undefined ? 'has' : 'answers with';
  const price = priceWords(info.prices);
  const facts = [
    ...(tools === undefined ? [] : [tools ? 'tools work' : 'no tools, so Belay can only talk']),
    info.vision ? 'images' : 'no images',
    info.thinking ? 'thinking' : 'no thinking',
    `a window of ${info.contextWindow.toLocaleString('en')} tokens${info.guessed === true ? ' (guessed)' : ''}`,
    price === '' ? 'price unknown' : price,
  ];
  return `${serverOf(instance)} ${hasKey ? 'accepts the key' : 'answers'}${lists} and ${answers} ${model}: ${facts.join(', ')}.`;
}
