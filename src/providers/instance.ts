import type { ModelInfo } from '../domain/model.ts';
import type { ChatFlags } from './chat/flags.ts';

/** The ways of talking to models; each has its folder. */
export type WireName = 'messages' | 'chat' | 'demo';

/** Where a key is kept; the key itself is in no setting. */
export type KeyReference =
  /** In the secret storage of the host, under this name. */
  | { readonly secret: string }
  /** In the environment, used after the person's yes. */
  | { readonly variable: string }
  /** The one key that a host has for its default instance. */
  | { readonly own: true };

/** One provider as a person set it up: an address, what is spoken there, a key, models. */
export interface ProviderInstance {
  /** Letters, digits, `-`, `_` and `.`: the beginning of its models' names. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly wire: WireName;
  /** Empty: the wire's public address. */
  readonly baseUrl: string;
  /** Absent: it needs none. */
  readonly key?: KeyReference;
  /** Flags of its server, where they are known better than by its host. */
  readonly flags?: Partial<ChatFlags>;
  /** Its models' limits and prices, by the names that it has for them. */
  readonly models: readonly ModelInfo[];
}

/** A model of an instance, by the name that the instance has for it. */
export interface ModelAddress {
  readonly instance: ProviderInstance;
  readonly model: string;
}

/**
 * Names of models: `instance/model`, and bare names for those of the first instance, the default one.
 * Where the default instance is at a gateway, `vendor/model` is a bare name there.
 */
export class ModelNames {
  /** The first is the default one. */
  readonly instances: readonly [ProviderInstance, ...ProviderInstance[]];

  constructor(instances: readonly [ProviderInstance, ...ProviderInstance[]]) {
    this.instances = instances;
  }

  /** Which instance a name belongs to, and the model's name there. */
  addressOf(name: string): ModelAddress {
    const slash = name.indexOf('/');
    const prefix = slash < 0 ? '' : name.slice(0, slash);
    const [first] = this.instances;
    const named = this.instances.find(
      ({ id }) => id === prefix && !(id === first.id && first.baseUrl !== ''),
    );
    if (named !== undefined) return { instance: named, model: name.slice(slash + 1) };
    // An instance whose only model has its name needs no more than that.
    const alone = this.instances.find(({ id, models }) => id === name && models[0]?.id === name);
    return { instance: alone ?? first, model: name };
  }

  /** The name of a model of an instance, as people choose it and as it is stored. */
  nameOf(instance: ProviderInstance, model: string): string {
    const isBare = this.instances[0] === instance || instance.id === model;
    return isBare ? model : `${instance.id}/${model}`;
  }
}
