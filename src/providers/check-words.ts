import * as l10n from '@vscode/l10n';
import type { Failure } from '../domain/failure.ts';
import type { ModelInfo } from '../domain/models/model.ts';
import { numeral, plural } from '../domain/text/language.ts';
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
  { hasKey, listed, model = l10n.t('the model') }: CheckFacts,
): string {
  const server = serverOf(instance);
  const { status, details } = failure;
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  const system = /\(([A-Z_]{4,})\)/.exec(`${textOr(details?.['cause'])} ${failure.message}`)?.[1];
  const cause = system === undefined ? '' : ` (${system})`;
  switch (reasonOf(failure)) {
    case 'unreachable':
      return l10n.t(
        '{0} cannot be reached{1}: check the address and the network, and that it runs.',
        server,
        cause,
      );
    case 'proxy':
      return status === 407
        ? l10n.t(
            'The proxy of the network wants a login (HTTP 407): check the settings http.proxy and http.proxyAuthorization.',
          )
        : l10n.t(
            'The certificate of {0} is not trusted{1}: check the address, and the setting http.systemCertificates where a proxy inspects the traffic.',
            server,
            cause,
          );
    case 'slow':
      return l10n.t(
        '{0} did not answer in time{1}: try again, or see whether it is busy or still loads the model.',
        server,
        cause || http,
      );
    case 'key':
      return hasKey
        ? l10n.t('{0} does not accept the key{1}: set another one.', server, http)
        : l10n.t('{0} wants a key{1}: set one.', server, http);
    case 'permission':
      return l10n.t(
        'The key may not use {0} at {1}{2}{3}: choose another model, or set another key.',
        model,
        server,
        http,
        words(failure),
      );
    case 'model':
      return withoutSuchModel(server, model, http, { hasKey, listed });
    case 'credit':
      return failure.code === 'billing'
        ? l10n.t(
            '{0} accepts the key, but its account has no credit or quota left{1}: check plan and credit there.',
            server,
            http,
          )
        : l10n.t(
            '{0} accepts the key, but a limit of requests or tokens is reached{1}{2}: try again later, or check plan and quota there.',
            server,
            http,
            words(failure),
          );
    case 'wire':
      return l10n.t(
        'There is no {0} API at {1}{2}: check the address and the wire; a web page or another program answered.',
        wireName(instance),
        withoutPassword(instance.baseUrl),
        http,
      );
    default:
      return l10n.t(
        '{0} answers, but refused a small request{1}{2}.',
        server,
        http,
        words(failure),
      );
  }
}

function withoutSuchModel(
  server: string,
  model: string,
  http: string,
  { hasKey, listed }: Pick<CheckFacts, 'hasKey' | 'listed'>,
): string {
  const said = hasKey
    ? l10n.t('{0} answers and accepts the key, but has no model {1}{2}.', server, model, http)
    : l10n.t('{0} answers, but has no model {1}{2}.', server, model, http);
  const next =
    listed > 0
      ? l10n.t('Choose one of the {0} that it lists.', numeral(listed))
      : l10n.t('Choose one of its own.');
  return `${said} ${next}`;
}

const words = ({ details }: Failure): string => {
  const text = details?.['providerText'];
  return typeof text === 'string' && text !== ''
    ? l10n.t(', saying “{0}”', text.slice(0, 200))
    : '';
};

/** The API that is spoken with a provider, for people. */
export const wireName = ({ wire }: ProviderInstance): string =>
  Object.hasOwn(SETTABLE_WIRES, wire) ? SETTABLE_WIRES[wire as keyof typeof SETTABLE_WIRES] : wire;

/** All that works, as one sentence, and what the model can. */
export function saidOfModel(
  info: ModelInfo,
  instance: ProviderInstance,
  { hasKey, listed, model = info.id, tools }: CheckFacts,
): string {
  const server = serverOf(instance);
  const price = priceWords(info.prices);
  const size = numeral(info.contextWindow);
  const facts = [
    ...(tools === undefined
      ? []
      : [tools ? l10n.t('tools work') : l10n.t('no tools, so Belay can only talk')]),
    info.vision ? l10n.t('images') : l10n.t('no images'),
    info.thinking ? l10n.t('thinking') : l10n.t('no thinking'),
    info.guessed === true
      ? l10n.t('a window of {0} tokens (guessed)', size)
      : l10n.t('a window of {0} tokens', size),
    price === '' ? l10n.t('price unknown') : price,
  ];
  return [
    hasKey ? l10n.t('{0} accepts the key.', server) : l10n.t('{0} answers.', server),
    ...(listed > 0 ? [plural(listed, 'It lists {0} model.', 'It lists {0} models.')] : []),
    tools === undefined
      ? l10n.t('It has {0}: {1}.', model, facts.join(', '))
      : l10n.t('It answers with {0}: {1}.', model, facts.join(', ')),
  ].join(' ');
}
