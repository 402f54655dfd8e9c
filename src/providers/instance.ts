import type { ModelInfo } from '../domain/models/model.ts';
import type { ModelUpdate } from './catalog/updates.ts';
import type { WireFlags } from '../domain/models/wire-flags.ts';

/** The ways of talking to models; each has its folder. */
export type WireName = 'messages' | 'chat' | 'responses' | 'gemini' | 'vscode-lm' | 'demo';

/** Where a key is kept; the key itself is in no setting. */
export type KeyReference =
  /** In the secret storage of the host, under this name. */
  | { readonly secret: string }
  /** In the environment, used after the person's yes. */
  | { readonly variable: string }
  /** The one key that a host has for its default instance; where a variable is named, it is there. */
  | { readonly own: true; readonly variable?: string };

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
  readonly flags?: Partial<WireFlags>;
  /** Models that Belay itself brings; empty: the catalog knows them. */
  readonly models: readonly ModelInfo[];
  /** The models that are offered, with what the person says of them; empty or absent: those of the catalog. */
  readonly listed?: readonly ModelUpdate[];
  /** The preset that it was made of; absent: the one of its id. */
  readonly preset?: string;
  /** Variables that usually hold its key; none is read unasked. */
  readonly keyVariables?: readonly string[];
}

/** The variable of the environment that holds a key; `undefined`: it is none. */
export const variableOf = (key: KeyReference | undefined): string | undefined =>
  key !== undefined && 'variable' in key ? key.variable : undefined;

/** True for a token, which goes as `authorization` and under no other name. */
export const isBearerToken = ({ key }: Pick<ProviderInstance, 'key'>): boolean =>
  variableOf(key)?.endsWith('_AUTH_TOKEN') === true;

/** True where a call may ask the person for their consent. */
export const asksPerson = ({ wire }: ProviderInstance): boolean => wire === 'vscode-lm';

/** True for the default instance, whose key the host has by itself. */
export const hasOwnKey = ({ key }: ProviderInstance): boolean => key !== undefined && 'own' in key;

/** A model of an instance, by the name that the instance has for it. */
export interface ModelAddress {
  readonly instance: ProviderInstance;
  readonly model: string;
}

/** At least the default one. */
export type Instances = readonly [ProviderInstance, ...ProviderInstance[]];

/**
 * Names of models: `instance/model`, and bare names for those of the first instance, the default one.
 * Where the default instance is at a gateway, `vendor/model` is a bare name there.
 */
export class ModelNames {
  readonly #instances: () => Instances;

  /** The first is the default one. Where they may change they are read for each question. */
  constructor(instances: Instances | (() => Instances)) {
    this.#instances = typeof instances === 'function' ? instances : () => instances;
  }

  get instances(): Instances {
    return this.#instances();
  }

  /** Which instance a name belongs to, and the model's name there. */
  addressOf(name: string): ModelAddress {
    const { instances } = this;
    const slash = name.indexOf('/');
    const prefix = slash < 0 ? '' : name.slice(0, slash);
    const [first] = instances;
    const named = instances.find(
      ({ id }) => id === prefix && !(id === first.id && first.baseUrl !== ''),
    );
    if (named !== undefined) return { instance: named, model: name.slice(slash + 1) };
    // An instance whose only model has its name needs no more than that.
    const alone = instances.find(({ id, models }) => id === name && models[0]?.id === name);
    return { instance: alone ?? first, model: name };
  }

  /** The instance that a name begins with and that does not exist; where the default one is a gateway nobody can tell. */
  goneInstance(name: string): string | undefined {
    const { instance, model } = this.addressOf(name);
    const slash = model.indexOf('/');
    const isPlain =
      instance === this.instances[0] && instance.baseUrl === '' && instance.models.length === 0;
    return isPlain && slash > 0 ? model.slice(0, slash) : undefined;
  }

  /** The name of a model of an instance, as people choose it and as it is stored. */
  nameOf(instance: ProviderInstance, model: string): string {
    const isBare = this.instances[0] === instance || instance.id === model;
    return isBare ? model : `${instance.id}/${model}`;
  }
}
