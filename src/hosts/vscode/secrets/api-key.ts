import * as vscode from 'vscode';
import type { Disposable } from '../../../core/ports.ts';
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
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Signal());

  constructor(
    storage: vscode.SecretStorage,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#storage = storage;
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
    return (await this.#storage.get(STORED_AS)) ?? this.#fromEnvironment();
  }

  /** Where the key comes from, for people and for context keys. */
  async source(): Promise<'stored' | 'environment' | 'none'> {
    if ((await this.#storage.get(STORED_AS)) !== undefined) return 'stored';
    return this.#fromEnvironment() === undefined ? 'none' : 'environment';
  }

  async store(key: string): Promise<void> {
    const problem = checkApiKey(key);
    if (problem?.severity === 'error') throw new Error(problem.message);
    await this.#storage.store(STORED_AS, key.trim());
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

  #fromEnvironment(): string | undefined {
    const value = this.#environment[VARIABLE]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }
}
