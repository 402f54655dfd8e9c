import type * as vscode from 'vscode';

/** VS Code's memory of a workspace, kept in this process: values go through JSON, as they do there. */
export class MapMemento implements vscode.Memento {
  readonly #values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, initial?: T): T | undefined {
    const kept = this.#values.get(key);
    return kept === undefined ? initial : (JSON.parse(kept) as T);
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}
