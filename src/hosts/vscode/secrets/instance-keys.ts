import * as vscode from 'vscode';
import { BelayError } from '../../../domain/failure.ts';
import { variable } from '../../../providers/environment-keys.ts';
import type { ProviderInstance } from '../../../providers/instance.ts';
import { checkKeyForm } from '../../../window/keys/api-key-form.ts';

/** Milliseconds that the check of a new provider may take. */
const CHECK_LIMIT = 15_000;

export interface InstanceKeyParts {
  readonly storage: vscode.SecretStorage;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Keeps a key out of the log. */
  readonly hide: (key: string) => void;
}

/** The keys of the providers that a person has added: in the secret storage of VS Code, one for each. */
export class InstanceKeys {
  readonly #parts: InstanceKeyParts;

  constructor(parts: InstanceKeyParts) {
    this.#parts = parts;
  }

  /** The key for the next request; of the environment only what the person named in the setting. */
  async read({ key }: ProviderInstance): Promise<string | undefined> {
    if (key === undefined || 'own' in key) return undefined;
    const { environment, hide, storage } = this.#parts;
    const found =
      'variable' in key
        ? variable(environment, key.variable)
        : // A keychain that does not work holds no key.
          await storage.get(storedAs(key.secret)).then(
            (stored) => stored,
            () => undefined,
          );
    if (found !== undefined) hide(found);
    return found;
  }

  /** The first of the usual variables that holds a key. */
  variableFor({ keyVariables = [] }: ProviderInstance): string | undefined {
    return keyVariables.find((name) => variable(this.#parts.environment, name) !== undefined);
  }

  /** The value of a variable that the person has said yes to. */
  valueOf(name: string): string | undefined {
    return variable(this.#parts.environment, name);
  }

  async store(id: string, key: string): Promise<void> {
    try {
      await this.#parts.storage.store(storedAs(id), key.trim());
    } catch (error) {
      throw new BelayError(
        {
          code: 'config',
          message:
            'VS Code could not keep the key: this system has no working keychain. Name a variable of the environment that holds it as “key” of the provider in the setting belay.model.providers.',
        },
        { cause: error },
      );
    }
  }

  async remove(id: string): Promise<void> {
    await this.#parts.storage.delete(storedAs(id));
  }

  /** Asks for a key of a provider; `undefined`: the person gave up. */
  async type({ name }: Pick<ProviderInstance, 'name'>): Promise<string | undefined> {
    const typed = await vscode.window.showInputBox({
      title: `Belay: API Key of ${name}`,
      prompt: 'It is kept in the secret storage of VS Code.',
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) => (value === '' ? undefined : checkKeyForm(value)?.message),
    });
    return typed?.trim() || undefined;
  }

  /** Tries a provider with a key, and tells what was found in a sentence. */
  async check(instance: ProviderInstance, key: string | undefined) {
    const { checkInstance } = await import('../../../providers/check-instance.ts');
    return vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `Trying ${instance.name}…`,
      },
      async () => checkInstance(instance, key, { signal: AbortSignal.timeout(CHECK_LIMIT) }),
    );
  }
}

const storedAs = (id: string): string => `belay.key.${id}`;
