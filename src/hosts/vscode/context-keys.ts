import * as vscode from 'vscode';
import type { ContextKey, ContextKeyValues } from './manifest/context-key-names.ts';

/** Sets Belay's context keys; one that has not changed costs nothing. */
export class ContextKeys {
  readonly #known = new Map<ContextKey, boolean | number>();

  set<Key extends ContextKey>(key: Key, value: ContextKeyValues[Key]): void {
    if (this.#known.get(key) === value) return;
    this.#known.set(key, value);
    void vscode.commands.executeCommand('setContext', `belay.${key}`, value);
  }
}
