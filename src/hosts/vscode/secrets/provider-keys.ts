import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Log } from '../../../core/ports/log.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import { PUBLIC_API } from '../../../providers/anthropic/address.ts';
import { variable } from '../../../providers/environment-keys.ts';
import { hasOwnKey, variableOf } from '../../../providers/instance.ts';
import type { Instances, ProviderInstance } from '../../../providers/instance.ts';
import { keyedAt } from '../../../providers/keyed-at.ts';
import { checkApiKey, checkKeyForm } from '../../../window/keys/api-key-form.ts';
import type { KeyedAddresses } from '../../../window/keys/keyed-addresses.ts';

const OWN_STORED_AS = 'belay.anthropicApiKey';
const STORED_AS = 'belay.key.';

/** Where the key of a provider is; `unneeded`: it wants none. */
export type KeySource = 'stored' | 'environment' | 'none' | 'unneeded';

export interface ProviderKeyParts {
  readonly storage: vscode.SecretStorage;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keyed: KeyedAddresses;
  /** The providers as they are now, the default one first. */
  readonly instances: () => Instances;
  readonly log: Pick<Log, 'error'>;
  /** Keeps a key out of the log. */
  readonly hide: (key: string) => void;
}

/**
 * The keys of all providers of models: in the secret storage of VS Code, one for each; else in the variable of the
 * environment that the person named. None is ever logged, in a setting, or in the panel.
 */
export class ProviderKeys implements Disposable {
  /** Addresses that had a key. */
  readonly keyed: KeyedAddresses;
  readonly #parts: ProviderKeyParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());

  constructor(parts: ProviderKeyParts) {
    this.#parts = parts;
    this.keyed = parts.keyed;
    this.#lifetime.add(
      parts.storage.onDidChange(({ key }) => {
        if (key === OWN_STORED_AS || key.startsWith(STORED_AS)) this.#changed.fire();
      }),
    );
  }

  /** Fires when a key was set or removed, in another window too. */
  readonly onChanged = this.#changed.listen;

  get instances(): Instances {
    return this.#parts.instances();
  }

  /** The key for the next request of a provider, absent: the default one; `undefined`: there is none. */
  async read(instance: ProviderInstance = this.instances[0]): Promise<string | undefined> {
    const key = (await this.#stored(instance)) ?? this.#fromEnvironment(instance);
    if (key !== undefined) this.#parts.hide(key);
    return key;
  }

  async source(instance: ProviderInstance = this.instances[0]): Promise<KeySource> {
    if (instance.key === undefined) return 'unneeded';
    if ((await this.#stored(instance)) !== undefined) return 'stored';
    return this.#fromEnvironment(instance) === undefined ? 'none' : 'environment';
  }

  /** Fails with `config` when the form is wrong or the system keeps no secrets. */
  async store(key: string, instance: ProviderInstance = this.instances[0]): Promise<void> {
    const problem = checkForm(key, instance);
    if (problem?.severity === 'error')
      throw fault('config', told`${problem.message} Nothing was kept.`);
    try {
      await this.#parts.storage.store(storedAs(instance), key.trim());
      await this.keyed.add(keyedAt(instance));
    } catch (error) {
      const advice = hasOwnKey(instance)
        ? l10n.t(
            'Name a variable of the environment that holds it in the setting belay.model.keyVariable.',
          )
        : l10n.t(
            'Name a variable of the environment that holds it as “key” of the provider in the setting belay.model.providers.',
          );
      const message = told`VS Code could not keep the key: this system has no working keychain. ${advice}`;
      throw fault('config', message, { cause: error });
    }
  }

  /** Removes the stored key; one in the environment stays. */
  async remove(instance: ProviderInstance = this.instances[0]): Promise<void> {
    await this.#parts.storage.delete(storedAs(instance));
  }

  /** The first provider whose key is gone: nothing is sent there until the person answers; `undefined`: none. */
  async lost(): Promise<ProviderInstance | undefined> {
    for (const instance of this.instances) {
      if (!this.keyed.has(keyedAt(instance)) || keyedAt(instance) === PUBLIC_API) continue;
      if ((await this.source(instance)) === 'none') return instance;
    }
    return undefined;
  }

  /** The person goes on without a key there. */
  async forget(instance: ProviderInstance): Promise<void> {
    await this.keyed.forget(keyedAt(instance));
    this.#changed.fire();
  }

  /** A provider's usual variables that hold a key, by name; no value is used. */
  variablesFor({ keyVariables = [] }: ProviderInstance): readonly string[] {
    return keyVariables.filter((name) => this.valueOf(name) !== undefined);
  }

  /** The value of a variable that the person has said yes to. */
  valueOf(name: string): string | undefined {
    return variable(this.#parts.environment, name);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** A keychain that does not work must not keep Belay from starting. */
  async #stored(instance: ProviderInstance): Promise<string | undefined> {
    if (instance.key === undefined || variableOf(instance.key) !== undefined) return undefined;
    try {
      return await this.#parts.storage.get(storedAs(instance));
    } catch (error) {
      this.#parts.log.error(
        'The secret storage of VS Code cannot be read; it counts as empty.',
        error,
      );
      return undefined;
    }
  }

  #fromEnvironment(instance: ProviderInstance): string | undefined {
    const name = variableOf(instance.key);
    return name === undefined ? undefined : this.valueOf(name);
  }
}

/** The fault of a key as typed for a provider. */
export const checkForm = (typed: string, instance: ProviderInstance) =>
  hasOwnKey(instance) ? checkApiKey(typed) : checkKeyForm(typed);

const storedAs = ({ id, key }: ProviderInstance): string =>
  key !== undefined && 'own' in key
    ? OWN_STORED_AS
    : STORED_AS + (key !== undefined && 'secret' in key ? key.secret : id);
