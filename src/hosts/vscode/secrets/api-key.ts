import * as vscode from 'vscode';
import type { Disposable, Log } from '../../../core/ports.ts';
import { BelayError } from '../../../domain/failure.ts';
import { Lifetime } from '../lifetime.ts';
import { Signal } from '../signal.ts';
import { checkApiKey } from './api-key-form.ts';

const STORED_AS = 'belay.anthropicApiKey';
const VARIABLE = 'ANTHROPIC_API_KEY';

/**
 * The API key: in the secret storage of VS Code; where there is none, the environment's. It is never
 * logged, never in a setting, never in the panel.
 */
export class ApiKey implements Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #log: Pick<Log, 'error'>;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Signal());

  constructor(
    storage: vscode.SecretStorage,
    environment: Readonly<Record<string, string | undefined>>,
    log: Pick<Log, 'error'>,
  ) {
    this.#storage = storage;
    this.#log = log;
    this.#environment = environment;
    this.#lifetime.add(
      storage.onDidChange((event) => {
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
      throw new BelayError({ code: 'config', message: `${problem.message} Nothing was kept.` });
    }
    try {
      await this.#storage.store(STORED_AS, key.trim());
    } catch (error) {
      throw new BelayError(
        {
          code: 'config',
          message: `VS Code could not keep the key: this system has no working keychain. Set the environment variable ${VARIABLE} instead.`,
        },
        { cause: error },
      );
    }
  }

  async remove(): Promise<void> {
    await this.#storage.delete(STORED_AS);
  }

  /** Asks for a key and keeps it; `false` when the person went away. */
  async ask(): Promise<boolean> {
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
    if (typed === undefined || typed.trim() === '') return false;
    await this.store(typed);
    return true;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** A keychain that does not work must not keep Belay from starting. */
  async #stored(): Promise<string | undefined> {
    try {
      return await this.#storage.get(STORED_AS);
    } catch (error) {
      this.#log.error('The secret storage of VS Code cannot be read; it counts as empty.', error);
      return undefined;
    }
  }

  #fromEnvironment(): string | undefined {
    const value = this.#environment[VARIABLE]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }
}
