import * as vscode from 'vscode';
import type { ContextKey, ContextKeyValues } from '../../../manifest/context-key-names.ts';

/** Sets Belay's context keys; one that has not changed costs nothing. */
export class ContextKeys {
  readonly #known = new Map<ContextKey, string>();

  set<Key extends ContextKey>(key: Key, value: ContextKeyValues[Key]): void {
    const known = JSON.stringify(value);
    if (this.#known.get(key) === known) return;
    this.#known.set(key, known);
    void vscode.commands.executeCommand('setContext', `belay.${key}`, value);
  }
}
