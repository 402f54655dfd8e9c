import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/disposable.ts';
import type { Log } from '../../../core/ports/log.ts';
import { fault } from '../../../domain/failure.ts';
import { Lifetime } from '../../../domain/lifetime.ts';
import { Listeners } from '../../../domain/listeners.ts';
import { addressOf, PUBLIC_API } from '../../../providers/anthropic/address.ts';
import { environmentKey, KEY_VARIABLE } from '../../../providers/anthropic/environment-key.ts';
import { checkApiKey } from '../../../window/keys/api-key-form.ts';
import type { KeyedAddresses } from '../../../window/keys/keyed-addresses.ts';

const STORED_AS = 'belay.anthropicApiKey';
/** Milliseconds that the check of a new key may take. */
const CHECK_LIMIT = 10_000;

export interface ApiKeyParts {
  readonly storage: vscode.SecretStorage;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keyed: KeyedAddresses;
  /** The setting `model.baseUrl`. */
  readonly address: () => string;
  readonly log: Pick<Log, 'error'>;
}

/**
 * The API key: in the secret storage of VS Code; where there is none, the environment's. It is never
 * logged, never in a setting, never in the panel.
 */
export class ApiKey implements Disposable {
  /** Addresses that had a key. */
  readonly keyed: KeyedAddresses;
  readonly #parts: ApiKeyParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());

  constructor(parts: ApiKeyParts) {
    this.#parts = parts;
    this.keyed = parts.keyed;
    this.#lifetime.add(
      parts.storage.onDidChange((event) => {
        if (event.key === STORED_AS) this.#changed.fire();
      }),
    );
  }

  /** Fires when the key was set or removed, in another window too. */
  readonly onChanged = this.#changed.listen;

  /** The key for the next request; `undefined`: there is none. */
  async read(): Promise<string | undefined> {
    return (await this.#stored()) ?? this.#fromEnvironment();
  }

  /** Where the key comes from, for people and for context keys. */
  async source(): Promise<'stored' | 'environment' | 'none'> {
    if ((await this.#stored()) !== undefined) return 'stored';
    return this.#fromEnvironment() === undefined ? 'none' : 'environment';
  }

  /** Fails with `config` when the form is wrong or the system keeps no secrets. */
  async store(key: string): Promise<void> {
    const problem = checkApiKey(key);
    if (problem?.severity === 'error') {
      throw fault('config', `${problem.message} Nothing was kept.`);
    }
    try {
      await this.#parts.storage.store(STORED_AS, key.trim());
    } catch (error) {
      const message = `VS Code could not keep the key: this system has no working keychain. Set the environment variable ${KEY_VARIABLE} instead.`;
      throw fault('config', message, { cause: error });
    }
  }

  async remove(): Promise<void> {
    await this.#parts.storage.delete(STORED_AS);
  }

  /** The host whose key is gone: nothing is sent there until the person answers; `undefined`: none. */
  async lost(): Promise<string | undefined> {
    if ((await this.read()) !== undefined) return undefined;
    const address = addressOf(this.#parts.address());
    if (address === PUBLIC_API || !this.keyed.has(address)) return undefined;
    return URL.canParse(address) ? new URL(address).host : address;
  }

  /** The person goes on without a key at the configured address. */
  async doWithout(): Promise<void> {
    await this.keyed.forget(addressOf(this.#parts.address()));
    this.#changed.fire();
  }

  /**
   * Tries a key at the configured address, keeps it unless it was refused, and tells the person in a
   * sentence what was found and what was kept.
   */
  async checkAndStore(typed: string): Promise<void> {
    const { checkKey } = await import('../../../providers/anthropic/check-key.ts');
    const check = await checkKey(typed.trim(), this.#parts.address(), {
      signal: AbortSignal.timeout(CHECK_LIMIT),
    });
    if (check.state === 'refused') {
      const former = (await this.source()) === 'none' ? '' : '; the one you had is still there';
      void vscode.window.showErrorMessage(
        `${check.host} refused this key (it ${check.said}), so it was not kept${former}.`,
      );
      return;
    }
    await this.store(typed);
    await this.keyed.add(addressOf(this.#parts.address()));
    if (check.state === 'works')
      void vscode.window.showInformationMessage(
        `The key works at ${check.host}, and is kept in the secret storage of VS Code.`,
      );
    else
      void vscode.window.showWarningMessage(
        `The key is kept in the secret storage of VS Code, but could not be checked: ${check.host} ${check.said}.`,
      );
  }

  /** Asks for a key, tries it and keeps it. */
  async ask(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: 'Belay: Anthropic API Key',
      prompt: 'It is kept in the secret storage of VS Code.',
      placeHolder: 'sk-ant-…',
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) => {
        const problem = value === '' ? undefined : checkApiKey(value);
        if (problem === undefined) return undefined;
        const severity =
          problem.severity === 'error'
            ? vscode.InputBoxValidationSeverity.Error
            : vscode.InputBoxValidationSeverity.Warning;
        return { message: problem.message, severity };
      },
    });
    if (typed === undefined || typed.trim() === '') return;
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Trying the key…' },
      () => this.checkAndStore(typed),
    );
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** A keychain that does not work must not keep Belay from starting. */
  async #stored(): Promise<string | undefined> {
    try {
      return await this.#parts.storage.get(STORED_AS);
    } catch (error) {
      this.#parts.log.error(
        'The secret storage of VS Code cannot be read; it counts as empty.',
        error,
      );
      return undefined;
    }
  }

  #fromEnvironment(): string | undefined {
    return environmentKey(this.#parts.environment);
  }
}
